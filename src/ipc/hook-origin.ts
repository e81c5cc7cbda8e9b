// Where a hook runs: cheap hints for finding the terminal, the machine and the client's process later.
import type { Origin } from './envelope.ts';

/** Sent whatever they hold. */
const NAMES = new Set(
  (
    'TERM TERM_PROGRAM TERM_SESSION_ID TERMINAL_EMULATOR COLORTERM WINDOWID DISPLAY WAYLAND_DISPLAY ITERM_SESSION_ID ' +
    'TMUX TMUX_PANE STY ZELLIJ_SESSION_NAME WEZTERM_PANE KITTY_WINDOW_ID WT_SESSION WSL_DISTRO_NAME MSYSTEM ' +
    'SSH_CONNECTION SSH_TTY VSCODE_PID CODESPACES REMOTE_CONTAINERS CI'
  ).split(' '),
);

/**
 * What clients set for their hooks, by form so that no client is named here: folders, session ids; flags; pids. One pattern, since
 * each costs the hook the time to compile it.
 */
const FORM =
  /^(?:[A-Z]+_(?:PROJECT_DIR|(?:CODE_)?(?:SESSION_ID|ENTRYPOINT|CWD))=|(?:[A-Z]{4,8}CODE|[A-Z]+_CLI|AGENT)=(?:1|true)$|[A-Z]+CODE_PID=\d+$)/;

/** How those names end, to two letters: most variables end otherwise and need no match. */
const ENDINGS = ['IR', 'ID', 'NT', 'WD', 'LI', 'DE'];

/** The variables of `env` that are handed over, each cut to 1,024 characters. */
export function selectVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!value) continue;
    if (NAMES.has(name) || (ENDINGS.includes(name.slice(-2)) && FORM.test(`${name}=${value}`)))
      chosen[name] = value.slice(0, 1024);
  }
  return chosen;
}

/**
 * Hints about the running process. Never throws. Its ancestors are left to the daemon, which finds them while the hook waits for
 * its answer, or to whoever writes a file.
 */
export function gatherOrigin(): Origin {
  const cwd = currentFolder();
  return {
    pid: process.pid,
    ppid: process.ppid,
    env: selectVariables(process.env),
    ...(cwd !== null && { cwd }),
  };
}

function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null; // the folder was removed
  }
}
