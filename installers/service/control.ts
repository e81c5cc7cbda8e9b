// Installs our daemon in the user's service manager and removes it.
import { existsSync, readFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { UserError } from '../../src/model/errors.ts';
import { type ChangeOptions, type Changes, writeManaged, restoreManaged } from '../managed-file.ts';
import { codeOf } from '../files/read.ts';
import { UNIT_MARK, type ServiceMechanism, type ServiceSpec } from './mechanism.ts';

/** Name of the backup record of the service's file. */
export const SERVICE = '(service)';

/** Longest wait for one command of the manager, ms; a start waits for the daemon to be ready. */
const LIMIT = 60_000;

/** Whether a manager of this kind runs for this user. */
export async function managerRuns(mechanism: ServiceMechanism): Promise<boolean> {
  return (await command(mechanism.present)).ok;
}

/** Whether the service runs now. */
export async function serviceRuns(mechanism: ServiceMechanism, spec: ServiceSpec): Promise<boolean> {
  return (await command(mechanism.running(spec))).ok;
}

/** absent: no description is there; outdated: it is of another version, path or Node; unmanaged: no manager runs that would read it. */
export type ServiceState = 'absent' | 'outdated' | 'unmanaged' | 'stopped' | 'running';

/** How the service stands. */
export async function serviceState(mechanism: ServiceMechanism, spec: ServiceSpec): Promise<ServiceState> {
  const file = mechanism.file(spec);
  if (!existsSync(file)) return 'absent';
  if (!readFileSync(file).equals(Buffer.from(mechanism.text(spec)))) return 'outdated';
  if (!(await managerRuns(mechanism))) return 'unmanaged';
  return (await serviceRuns(mechanism, spec)) ? 'running' : 'stopped';
}

/** Writes the description and starts the service; the caller has seen that a manager runs. */
export async function installService(
  mechanism: ServiceMechanism,
  spec: ServiceSpec,
  options: Omit<ChangeOptions, 'agent'>,
): Promise<Changes> {
  const bytes = Buffer.from(mechanism.text(spec));
  const file = mechanism.file(spec);
  const change = await writeManaged(
    file,
    (state) => {
      if (state.bytes !== null && !isOurs(state.bytes))
        throw new UserError(`${file} was not written by belfry: move it away, then try again (nothing was changed)`);
      return { bytes, base: () => null };
    },
    { ...options, agent: SERVICE },
  );
  if (options.dryRun) return change;
  if (change.action === 'changed') for (const line of mechanism.disable(spec)) await command(line); // the old one may not run
  for (const line of mechanism.enable(spec)) {
    const ran = await command(line);
    if (!ran.ok)
      throw new UserError(
        `\`${line.join(' ')}\` failed: ${ran.said}; run \`belfry daemon\` to see whether the daemon itself starts`,
      );
  }
  return change;
}

/** Stops the service and removes its description; errors of the manager are ignored, since it may have been removed. */
export async function uninstallService(
  mechanism: ServiceMechanism,
  spec: ServiceSpec,
  options: Omit<ChangeOptions, 'agent'>,
): Promise<Changes> {
  const all = { ...options, agent: SERVICE };
  const file = mechanism.file(spec);
  const take = (how: ChangeOptions): Promise<Changes> =>
    restoreManaged(file, ({ bytes }) => (isOurs(bytes) ? null : bytes), how);
  const planned = await take({ ...all, dryRun: true });
  if (planned.action === 'unchanged' || options.dryRun) return planned;
  for (const line of mechanism.disable(spec)) await command(line);
  for (const folder of mechanism.folders(spec)) await rmdir(folder).catch(() => undefined); // others are in it: it stays
  const change = await take(all);
  for (const line of mechanism.forget(spec)) await command(line);
  return change;
}

function isOurs(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes);
  return text.includes(UNIT_MARK) || text.includes(Buffer.from(UNIT_MARK, 'utf16le'));
}

async function command(line: readonly string[]): Promise<{ ok: boolean; said: string }> {
  const [program = '', ...args] = line;
  const { execa } = await import('execa');
  const ran = await execa(program, args, {
    timeout: LIMIT,
    stdin: 'ignore',
    all: true,
    reject: false,
    maxBuffer: 65_536,
  });
  const said = (typeof ran.all === 'string' ? ran.all : '').trim().split('\n').at(-1) ?? '';
  return { ok: !ran.failed, said: said || codeOf(ran.cause) || `exit code ${String(ran.exitCode)}` };
}
