// Runs one abuse case against one hook program and checks what every case promises: exit 0, silence, private files.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { readSpoolFile } from '../../../src/sources/spool/spool-file.ts';
import type { Envelope } from '../../../src/ipc/envelope.ts';
import { hookArgv, hookCommand } from '../../../src/runtime/hook-command.ts';
import type { Paths } from '../../../src/runtime/paths.ts';
import { pathsBelow, temporaryFolder } from '../../support/home.ts';
import { bareEnv, HOOK } from '../../support/programs.ts';
import { until } from '../../support/wait.ts';
import { type Case, type HookName, JSON_INPUT, type World } from './case.ts';
import { type Got, startWorldDaemon } from './world.ts';

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `shell`: program and arguments in front of `-c`, for the shell hook. */
export async function runCase(abuse: Case, hook: HookName, shell: readonly string[] = ['/bin/sh']): Promise<void> {
  const home = join(temporaryFolder('belfry abuse-'), 'hömé');
  mkdirSync(home, { mode: 0o700 });
  const world: World = { home, paths: pathsBelow(home) };
  const got = await startWorldDaemon(world.paths, abuse.daemon ?? 'up');
  abuse.prepare?.(world);
  const ended = await runHook(abuse, hook, commandOf(abuse, hook, shell), world);
  const stderr = abuse.startNoise?.test(ended.stderr) ? '' : ended.stderr;
  expect({ ...ended, stderr }).toEqual({ code: 0, signal: null, stdout: abuse.print ?? '', stderr: '' });
  if (abuse.kept !== 'whatever') await checkKept(abuse, world, got);
  for (const folder of [world.paths.spool, world.paths.quarantine, world.paths.state]) checkPrivate(folder);
  abuse.after?.(world);
}

function commandOf({ agent = 'x', event, print }: Case, hook: HookName, shell: readonly string[]): string[] {
  const packageDir = join(HOOK, '..', '..');
  const options = { form: 'fast', agent, event, print, node: process.execPath, packageDir } as const;
  return hook === 'node' ? hookArgv(options) : [...shell, '-c', hookCommand(options)];
}

function runHook(abuse: Case, hook: HookName, command: readonly string[], world: World): Promise<Ended> {
  const [program = '', ...args] = abuse.around ? ['/bin/sh', '-c', abuse.around, 'sh', ...command] : command;
  // Without SHLVL bash takes a socket on stdin for a remote login and reads ~/.bashrc.
  const env = bareEnv(world.home, { SHLVL: '2', ...abuse.env?.(world) });
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd: world.home, stdio: ['pipe', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    child.stdin.on('error', () => undefined); // a hook may stop reading
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      child.stdin.destroy();
      child.stdout.destroy();
      setImmediate(() => resolve({ code, signal, stdout, stderr }));
    });
    const { input = JSON_INPUT, signal } = abuse;
    if (typeof input === 'function') input(child.stdin);
    else child.stdin.end(input);
    if (signal)
      until(() => minds(child.pid ?? 0, hook), 'the hook to mind signals').then(() => {
        for (let i = 0; i < (signal.times ?? 1); i++) child.kill(signal.name);
      }, reject);
  });
}

/**
 * Whether a hook minds signals: Node's catches SIGHUP, the shell's ignores SIGTERM, from the moment on from which it keeps what it has
 * read. A zsh catches SIGHUP from its own start, before it has read a line of the hook.
 */
function minds(pid: number, hook: HookName): boolean {
  // Until it runs its own program it is a copy of this process, whose handlers are not the hook's.
  if (readFileSync(`/proc/${pid}/cmdline`).equals(readFileSync('/proc/self/cmdline'))) return false;
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const mask = (name: string): number =>
    Number.parseInt(new RegExp(`^${name}:\\s+\\w*(\\w{4})$`, 'm').exec(status)?.[1] ?? '0', 16);
  return hook === 'node' ? (mask('SigCgt') & 0x0001) !== 0 : (mask('SigIgn') & 0x4000) !== 0;
}

async function checkKept(abuse: Case, world: World, got: Got | null): Promise<void> {
  const look = async (): Promise<readonly Envelope[]> => (got ? await got() : spooled(world.paths));
  if (abuse.kept === 'nothing') return void expect(await look()).toEqual([]);
  const [envelope] = await until(async () => {
    const found = await look();
    return found.length > 0 && found;
  }, 'the event');
  expect(await look()).toHaveLength(1);
  const raw = Buffer.from(envelope?.raw ?? []);
  const wanted = Buffer.from(abuse.kept);
  // Compared as text only when they differ, since a failure's picture of 16 MB helps nobody.
  if (!raw.equals(wanted)) expect(raw.toString('latin1', 0, 300)).toBe(wanted.toString('latin1', 0, 300));
  expect(raw.length).toBe(wanted.length);
  if (abuse.cut) expect(abuse.cut).toContain(envelope?.cut ?? 'no cut');
  if (envelope) abuse.check?.(envelope, world);
}

function spooled({ spool }: Paths): Envelope[] {
  if (!existsSync(spool) || !lstatSync(spool).isDirectory()) return [];
  return readdirSync(spool)
    .map((name) => readSpoolFile(spool, name, Date.now()))
    .flatMap((file) => (file.state === 'whole' ? [file.envelope] : []));
}

function checkPrivate(folder: string): void {
  if (!existsSync(folder) || !lstatSync(folder).isDirectory()) return;
  for (const name of readdirSync(folder)) {
    const found = lstatSync(join(folder, name));
    if (!found.isSymbolicLink()) expect([name, found.mode & 0o077]).toEqual([name, 0]);
  }
}
