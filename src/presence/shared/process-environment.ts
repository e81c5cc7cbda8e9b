// What the environment of a process says of its terminal and desktop, where this user may read it: Linux only.
import { readFileSync } from 'node:fs';

const NAMES = new Set(
  (
    'DISPLAY XAUTHORITY WAYLAND_DISPLAY WINDOWID XDG_RUNTIME_DIR XDG_CURRENT_DESKTOP XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS ' +
    'SWAYSOCK HYPRLAND_INSTANCE_SIGNATURE KITTY_LISTEN_ON KITTY_WINDOW_ID WEZTERM_UNIX_SOCKET WEZTERM_PANE TERM ' +
    'TERM_PROGRAM ITERM_SESSION_ID ZELLIJ_SESSION_NAME ZELLIJ_PANE_ID STY TMUX TMUX_PANE WT_SESSION SSH_CONNECTION'
  ).split(' '),
);

/** Only what is needed to find its terminal; null: it cannot be read. */
export function environmentOf(pid: number): Readonly<Record<string, string>> | null {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const split = pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    });
    return Object.fromEntries(split.filter(([name, value]) => NAMES.has(name) && value !== ''));
  } catch {
    return null; // gone, another user's, or no such platform
  }
}
