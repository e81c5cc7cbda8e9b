// Whether a hook's command line still works as it stands in a client's settings: it is run, with an input and a home of its own.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findInstalled } from '../../../../installers/find-installed.ts';
import { ownTools } from '../../../../installers/install-context.ts';
import { placesOf } from '../../../../installers/settings-file.ts';
import { agents } from '../../../agents/index.ts';
import { isNotifyingCommand } from '../../../runtime/hook-command.ts';
import { programFile } from '../../../runtime/fallback-files.ts';
import type { DoctorContext } from '../check.ts';

/** A hook takes milliseconds; above this the machine is overloaded, ms. */
const LIMIT = 15_000;
const INPUT = '{"hook_event_name":"Notification","message":"doctor"}';

/** Where it is run. */
type Own = Pick<DoctorContext, 'paths' | 'machine'>;

/** How a run ended; `submitted`: its input arrived. */
export interface HookRun {
  readonly silent: boolean;
  readonly submitted: boolean;
  readonly ms: number;
}

/** Runs program and arguments as a client would. No daemon is started, and no event arrives anywhere else. */
export async function runHook(program: string, args: readonly string[], { paths, machine }: Own): Promise<HookRun> {
  const home = await mkdtemp(join(tmpdir(), 'belfry-doctor-'));
  try {
    await mkdir(join(home, 'run'), { mode: 0o700 });
    const known = programFile(paths); // by it a hook finds what works now
    if (existsSync(known)) await copyFile(known, programFile({ run: join(home, 'run') }));
    const { execa } = await import('execa');
    const ran = await execa(program, args, {
      input: INPUT,
      env: { PATH: machine.env['PATH'], HOME: machine.home, BELFRY_HOME: home, BELFRY_NO_AUTOSTART: '1' },
      extendEnv: machine.platform === 'win32',
      timeout: LIMIT,
      reject: false,
    });
    const names = await readdir(join(home, 'spool')).catch(() => []);
    return {
      silent: !ran.failed && ran.stdout === '' && ran.stderr === '',
      submitted: names.filter((name) => name.endsWith('.event')).length === 1,
      ms: ran.durationMs,
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Whether this command line of a client's settings still submits; on Windows, and for code of a client's own, it is not tried. */
export async function stillSubmits(command: string, own: Own): Promise<boolean> {
  if (own.machine.platform === 'win32' || !command.startsWith('set -- ') || command.includes('--marker')) return true;
  return (await runHook('/bin/sh', ['-c', command], own)).submitted;
}

/** Whether hooks are installed of which none works any more: then no event starts a daemon. */
export async function allHooksDead({ paths, machine }: Own): Promise<boolean> {
  const tools = ownTools(paths, { form: 'fast', dryRun: true, shared: false });
  const found = await Promise.all(
    agents
      .filter((agent) => agent.settings)
      .map((agent) => findInstalled(agent, placesOf(agent, { level: 'user' }, machine), tools.isOurs).catch(() => [])),
  );
  const lines = found.flat().filter(({ command, counts }) => counts && isNotifyingCommand(command));
  // Lines of one installation differ in their options only.
  const kinds = new Map(lines.map(({ command }) => [command.split(' ').slice(0, 4).join(' '), command]));
  for (const line of kinds.values()) if (await stillSubmits(line, { paths, machine })) return false;
  return kinds.size > 0;
}
