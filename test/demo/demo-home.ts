// The demo's own belfry: a temporary home, the built daemon in it, the built hook and command line beside it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { removeFolder } from '../support/remove-folder.ts';

const dist = new URL('../../dist/', import.meta.url).pathname;

/** A decided event as `belfry events --follow --json` prints it. */
export interface Followed {
  readonly id: string;
  readonly kind: string;
  readonly urgency: string;
  readonly verdicts: readonly { readonly stage: string; readonly verdict: string; readonly note: string }[];
}

export interface DemoHouse {
  /** Events in the order in which they were decided. */
  readonly events: Followed[];
  /** Whether there is a session bus to raise a notification on. */
  readonly desktop: boolean;
  /** Runs the hook with this input; resolves with its exit code and how long it took. */
  hook(input: Buffer): Promise<{ readonly code: number | null; readonly ms: number; readonly silent: boolean }>;
  /** `belfry ARGS --json`. */
  ask(...args: string[]): Promise<unknown>;
  /** Ends every process and removes the folder. */
  close(): Promise<void>;
}

/** Starts the daemon and follows its events. */
export async function openHouse(slack: string, webhook: string, secret: string): Promise<DemoHouse> {
  const home = mkdtempSync(join(tmpdir(), 'belfry-demo-'));
  const bus = process.env['DBUS_SESSION_BUS_ADDRESS'];
  const desktop = process.platform !== 'linux' || Boolean(bus);
  writeFileSync(join(home, 'config.toml'), settings(slack, webhook, desktop), { mode: 0o600 });
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: home,
    BELFRY_HOME: home,
    BELFRY_NO_AUTOSTART: '1',
    DEMO_SECRET: secret,
    ...(bus ? { DBUS_SESSION_BUS_ADDRESS: bus } : {}),
    ...(process.env['DISPLAY'] ? { DISPLAY: process.env['DISPLAY'] } : {}),
  };
  const run = (
    file: string,
    args: readonly string[],
    input: Buffer | null,
  ): Promise<{ code: number | null; output: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [join(dist, file), ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.on('close', (code) => resolve({ code, output }));
      child.stdin.end(input ?? '');
    });
  const children: ChildProcess[] = [];
  const start = (args: readonly string[], stdout: 'pipe' | 'ignore'): ChildProcess => {
    const child = spawn(process.execPath, [join(dist, 'belfry.js'), ...args], {
      env,
      stdio: ['ignore', stdout, 'inherit'],
    });
    children.push(child);
    return child;
  };

  const daemon = start(['daemon'], 'ignore');
  const ready = join(home, 'run', 'daemon.json');
  while (!existsSync(ready)) {
    if (daemon.exitCode !== null) throw new Error('the daemon did not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const events: Followed[] = [];
  const follower = start(['events', '--follow', '--json'], 'pipe');
  if (follower.stdout)
    createInterface({ input: follower.stdout }).on('line', (line) => events.push(JSON.parse(line) as Followed));

  return {
    events,
    desktop,
    hook: async (input) => {
      const began = performance.now();
      const { code, output } = await run('belfry-hook.cjs', [], input);
      return { code, ms: performance.now() - began, silent: output === '' };
    },
    ask: async (...args) => JSON.parse((await run('belfry.js', [...args, '--json'], null)).output),
    close: async () => {
      await Promise.all(children.map(end));
      await removeFolder(home);
    },
  };
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const insist = setTimeout(() => child.kill('SIGKILL'), 3_000);
    child.once('exit', () => {
      clearTimeout(insist);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

function settings(slack: string, webhook: string, desktop: boolean): string {
  const to = ['team', 'audit', ...(desktop ? ['desk'] : [])].map((name) => `"${name}"`).join(', ');
  const desk = desktop ? '[channels.desk]\ntype = "desktop"\n' : '';
  return `${desk}
[channels.team]
type = "slack"
url = "${slack}/services/demo"
allow_private = true

[channels.audit]
type = "webhook"
url = "${webhook}/events"
secret = "env:DEMO_SECRET"
allow_private = true

[[routes]]
to = [${to}]
`;
}

/** The version of the built package. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
