// Windows: brings the window of the session's terminal to the front. Windows Terminal lets nobody select a tab.
import { definePlace, done, failed } from './place-kind.ts';

export const windowsTerminal = definePlace({
  name: 'windows-terminal',
  level: 'terminal',
  applies: ({ env }, platform) => platform === 'win32' && Boolean(env['WT_SESSION']),
  focus: async () => ({ steps: [failed('pane', 'Windows Terminal lets no program select a tab')] }),
  ability: async () => ({ what: 'pane', able: false, text: 'a tab of Windows Terminal' }),
});

/** Activates the first of these processes that has a window, and prints its name. */
export function activationScript(pids: readonly number[]): string {
  return [
    `foreach ($id in ${pids.join(',')}) {`,
    '$p = Get-Process -Id $id -ErrorAction SilentlyContinue;',
    'if ($p -and $p.MainWindowHandle -ne 0) {',
    'if ((New-Object -ComObject WScript.Shell).AppActivate($p.Id)) { $p.ProcessName; break } else { exit 1 }',
    '} }',
  ].join(' ');
}

export const windowsDesktop = definePlace({
  name: 'windows',
  level: 'window',
  applies: (_viewer, platform) => platform === 'win32',
  focus: async ({ viewer: { pid } }, { run, above }) => {
    const pids = pid === null ? [] : (await above(pid)).map((process) => process.pid);
    if (pids.length === 0) return { steps: [failed('window', 'its process is gone')] };
    const words = ['-NoProfile', '-NonInteractive', '-Command', activationScript(pids)];
    const said = (await run('powershell.exe', words))?.trim() ?? null;
    if (said === null) return { steps: [failed('window', 'Windows kept another window in front')] };
    if (said === '') return { steps: [failed('window', 'no window of its terminal was found')] };
    return { steps: [done('window', `the window of ${said.slice(0, 60)} is in front`)] };
  },
  ability: async () => ({ what: 'window', able: true, text: 'Windows' }),
});
