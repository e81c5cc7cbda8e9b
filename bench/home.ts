// A temporary home for a benchmark, with the built programs, a daemon and a receiver.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeEnvelope, type Envelope } from '../src/ipc/envelope.ts';
import { runningDaemon } from '../src/runtime/daemon-file.ts';
import { type HookForm, hookCommand } from '../src/runtime/hook-command.ts';
import { type Paths, resolvePaths } from '../src/runtime/paths.ts';

const packageDir = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

/** Folder of the built programs. */
export const DIST = join(packageDir, 'dist');

/** Where a benchmark runs. */
export interface BenchHome {
  readonly folder: string;
  readonly paths: Paths;
  readonly env: NodeJS.ProcessEnv;
  /** The command line that `install` writes. */
  readonly command: (form: HookForm) => string;
  /** A file of so many bytes of hook input. */
  readonly input: (bytes: number) => string;
  readonly remove: () => void;
}

/** A fresh home; settings as TOML. */
export function openHome(settings = ''): BenchHome {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'));
  writeFileSync(join(folder, 'config.toml'), settings, { mode: 0o600 });
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    BELFRY_HOME: folder,
    BELFRY_NO_AUTOSTART: '1',
    LANG: 'C.UTF-8',
  };
  return {
    folder,
    paths: resolvePaths({ platform: process.platform, env, home: folder, tmp: tmpdir(), uid: process.getuid?.() }),
    env,
    command: (form) => hookCommand({ form, agent: 'generic', node: process.execPath, packageDir }),
    input: (bytes) => {
      const file = join(folder, `input-${bytes}`);
      const fixed = JSON.stringify({ hook_event_name: 'Bench', session_id: 'bench', text: '' });
      writeFileSync(file, fixed.replace('""}', `"${'x'.repeat(Math.max(0, bytes - fixed.length))}"}`));
      return file;
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

/** A daemon of this home. */
export interface BenchDaemon {
  readonly pid: number;
  /** From spawn to being ready, ms. */
  readonly readyMs: number;
  readonly stop: () => Promise<void>;
}

/** Starts the built daemon and waits until it is ready. */
export async function startDaemon(home: BenchHome): Promise<BenchDaemon> {
  const began = performance.now();
  const child: ChildProcess = spawn(process.execPath, [join(DIST, 'daemon.js')], {
    env: home.env,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the daemon ended; see ${home.paths.daemonLog}`);
    return runningDaemon(home.paths)?.pid === child.pid;
  });
  const readyMs = performance.now() - began;
  const gone = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  return {
    pid: child.pid ?? 0,
    readyMs,
    stop: () => {
      child.kill('SIGTERM');
      return gone;
    },
  };
}

/** Runs one hook of this session; ms from its start and from its end to the receiver. */
export async function timeHook(
  home: Pick<BenchHome, 'env' | 'folder'>,
  receiver: BenchReceiver,
  argv: readonly string[],
  session: string,
): Promise<[number, number]> {
  const input = JSON.stringify({ hook_event_name: 'Stop', session_id: session, cwd: home.folder });
  const [program = '', ...args] = argv;
  const began = performance.now();
  const child = spawn(program, args, { env: home.env, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end(input);
  let ended = 0;
  child.on('exit', () => {
    ended = performance.now();
  });
  await until(() => ended > 0 && receiver.arrivals.has(session));
  const arrived = receiver.arrivals.get(session) ?? Number.NaN;
  return [arrived - began, Math.max(0, arrived - ended)];
}

/** Submits an envelope; ms to the acknowledgement, NaN when there was none. */
export function send(home: BenchHome, event: Envelope): Promise<number> {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect(home.paths.socket);
    let kept = false;
    socket.on('data', (chunk: Buffer) => {
      kept = chunk.toString().startsWith('{"ok":true');
      socket.destroy();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(kept ? performance.now() - began : Number.NaN));
    socket.write(encodeEnvelope(event));
  });
}

/** Resident memory of a process, MB; NaN where the platform does not say. */
export function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Polls every 2 ms, for at most two minutes (ten for `long`). */
export async function until(look: () => boolean, long = false): Promise<void> {
  const end = performance.now() + (long ? 600_000 : 120_000);
  while (!look()) {
    if (performance.now() > end) throw new Error('a benchmark waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Receives webhooks and records when each session's came, in ms of `performance.now()`. */
export interface BenchReceiver {
  readonly url: string;
  readonly arrivals: ReadonlyMap<string, number>;
  readonly close: () => void;
}

/** Starts a receiver on a free port. */
export async function startReceiver(): Promise<BenchReceiver> {
  const arrivals = new Map<string, number>();
  const server = createServer((request: IncomingMessage, response) => {
    const at = performance.now();
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk;
    });
    request.on('end', () => {
      const session = /"session_id":"([^"]+)"/.exec(body)?.[1];
      if (session && !arrivals.has(session)) arrivals.set(session, at);
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server has this form of address
    arrivals,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
