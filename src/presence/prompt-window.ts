// The window in front while a prompt is given: whoever pressed Enter did so in it. For terminals on X11 that do not name their window themselves.
import { runProgram } from '../lib/programs/run-program.ts';
import { ancestorsFrom } from '../runtime/process-table.ts';
import type { Run } from './shared/detector.ts';
import { environmentOf } from './shared/process-environment.ts';
import { activeWindow } from './x11.ts';

/** For both questions, ms. */
const LIMIT = 150;

/** The X11 id of the window, decimal; null: it is none of the terminal, is named anyway, or cannot be seen. `pid`: the agent's process. Never rejects. */
export type PromptWindow = (pid: number) => Promise<string | null>;

/** `env`: the daemon's own. */
export function createPromptWindow(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): PromptWindow {
  return async (pid) => {
    const own = platform === 'linux' ? environmentOf(pid) : null;
    if (!own?.['DISPLAY'] || own['WAYLAND_DISPLAY'] || own['WINDOWID'] || own['TMUX'] || own['SSH_CONNECTION'])
      return null;
    const signal = AbortSignal.timeout(LIMIT);
    const run: Run = async (program, args, more) => {
      const ran = await runProgram({ program, args, env: { ...env, ...more }, limit: LIMIT, signal });
      return ran.code === 0 ? ran.stdout : null;
    };
    try {
      const id = await activeWindow(run, own);
      if (id === null) return null;
      // A prompt may come from elsewhere, and then anything is in front.
      const owner = /^_NET_WM_PID\(CARDINAL\) = (\d{1,10})$/m.exec(
        (await run('xprop', ['-id', String(id), '_NET_WM_PID'], own)) ?? '',
      )?.[1];
      return ancestorsFrom(pid).some((above) => above.pid === Number(owner)) ? String(id) : null;
    } catch {
      return null;
    }
  };
}
