// Who carries on when a daemon makes way for another program at the same place: the way depends on who started it.
import { spawn } from 'node:child_process';
import { startDaemonDetached, startLock } from '../../runtime/autostart.ts';
import { autostartForbidden } from '../../runtime/autostart-setting.ts';
import { transferLock, acquireLock } from '../../runtime/lock.ts';
import { nodeProgram } from '../../runtime/stable-path.ts';
import type { Paths } from '../../runtime/paths.ts';

/** EX_TEMPFAIL: run me again. */
export const AGAIN = 75;
/** A daemon that runs below another process in the foreground ends with AGAIN to be run again by it. */
export const BELOW = '--below';

/** `service`: its manager starts it again. `foreground`: this process stays and runs the other one. */
export type Supervisor = 'background' | 'service' | 'foreground' | 'below';

/** Who keeps this process. systemd says which process it started itself. */
export function supervisorOf(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Supervisor {
  if (argv.includes(BELOW)) return 'below';
  if (env['SYSTEMD_EXEC_PID'] === String(process.pid)) return 'service';
  return /daemon\.js$/.test(argv[1] ?? '') ? 'background' : 'foreground';
}

/** To be called when this daemon has said that it stops: what is begun now waits for its end. */
export function prepareSuccessor(supervisor: Supervisor, paths: Paths, program: string): void {
  if (supervisor === 'background') startDaemonDetached(paths, program, { auto: true, node: nodeProgram() });
  // Hooks that find nobody must not start one of their own before the manager does.
  else if (supervisor === 'service' && acquireLock(startLock(paths), () => false))
    transferLock(startLock(paths), process.ppid);
}

/** Something came while this daemon stopped, of which no hook knows that it has nobody: as the next hook would. A service's manager would end it again. */
export function startAnother(paths: Paths, program: string, supervisor: Supervisor): void {
  if (supervisor === 'service' || process.env['BELFRY_NO_AUTOSTART'] === '1' || autostartForbidden(paths.config))
    return;
  startDaemonDetached(paths, program, { auto: true, node: nodeProgram() });
}

/** Runs the program in this one's place until it ends for good; its exit code comes out. */
export async function runBelow(program: string): Promise<number> {
  for (;;) {
    const code = await runOnce(program);
    if (code !== AGAIN) return code;
  }
}

function runOnce(program: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(nodeProgram(), [program, BELOW], { stdio: 'inherit' });
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
    const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of signals) process.on(signal, passOn);
    const end = (code: number): void => {
      for (const signal of signals) process.off(signal, passOn);
      resolve(code);
    };
    child.on('error', () => end(1));
    child.on('exit', (code) => end(code ?? 1));
  });
}
