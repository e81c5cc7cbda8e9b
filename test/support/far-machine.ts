// A machine elsewhere for the tests: an account behind a real sshd with a home of its own, and a person's ssh that knows it as `box`.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { onTestFinished } from 'vitest';
import { isAskCommand } from '../../src/runtime/hook-command.ts';
import { type BreakingProxy, startBreakingProxy } from './breaking-proxy.ts';
import { temporaryFolder } from './home.ts';
import { belfry, type Ran, run, type RunningDaemon, startDaemon } from './programs.ts';
import { startSshServer } from './ssh-server.ts';
import { until } from './wait.ts';

export interface FarEvent {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly message: string | null;
}

/** A client there that waits. */
export interface FarAsking {
  readonly pid: number;
  /** Resolves when it has ended. */
  over(): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Whether it has. */
  readonly isOver: () => boolean;
  /** When it did, ms of `performance.now()`. */
  readonly endedAt: () => number | null;
  /** The client and its hooks, as an Esc at its terminal does; or the client alone. */
  kill(what: 'hooks' | 'client'): void;
}

export interface FarMachine {
  /** Home folder of the account there. */
  readonly home: string;
  /** Home of the person here. */
  readonly own: string;
  readonly proxy: BreakingProxy;
  /** `belfry ARGS`, here. */
  belfry(...args: string[]): Promise<Ran>;
  daemon(): Promise<RunningDaemon>;
  /** Runs what an agent's settings there say for an event: Claude's, or a file below its home. */
  hook(event: string, input: Readonly<Record<string, unknown>>, settings?: string): Promise<Ran>;
  /** A process there with the client's name, which runs the event's hook for each line on its stdin, and its pid. */
  client(): {
    readonly pid: number;
    event(event: string, input: Readonly<Record<string, unknown>>): void;
    kill(): void;
  };
  /** A client that reports an event and waits for an answer to it, as its settings say: Claude's, or a file below its home. */
  asks(event: string, input: Readonly<Record<string, unknown>>, settings?: string): FarAsking;
  /** The events here of a session, the oldest first. */
  events(session: string): Promise<readonly FarEvent[]>;
}

/** A person's ssh_config as people have it: what is on for each session and breaks programs that use ssh. */
const HOSTILE = [
  'RemoteCommand tmux new -A -s main',
  'RequestTTY force',
  'LocalForward 127.0.0.1:1 127.0.0.1:1',
  'ForwardAgent yes',
];

/** Settings of Claude that are there before, with a comment and without a line end. */
export const SETTINGS = '{\n  // mine\n  "model": "opus",\n\t"permissions": { "allow": [] }\n}';

/** What each of these prints of its version. */
const CLIENTS = {
  claude: '2.1.197 (Claude Code)',
  codex: 'codex-cli 0.169.0',
  qwen: '0.15.10',
  droid: '0.225.2',
} as const;
export type ClientName = keyof typeof CLIENTS;

/** A folder of programs with the names of clients that can be answered, which say their versions. */
export function clientPrograms(): string {
  const programs = temporaryFolder();
  for (const [name, version] of Object.entries(CLIENTS)) {
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${version}"\n`);
    chmodSync(join(programs, name), 0o755);
  }
  return programs;
}

/** Where hooks and relay have their files there. */
export function farFolder(far: Pick<FarMachine, 'home'>): string {
  const folder = join(far.home, '.local/state/belfry/far');
  return join(folder, readdirSync(folder)[0] ?? '');
}

/** `shell`: words of the login shell; `profile`: what each login runs first. Null where there is no sshd. */
export async function farMachine({ shell = 'bash', profile = '', path = '' } = {}): Promise<FarMachine | null> {
  const folder = temporaryFolder('belfry-far-');
  const home = join(folder, 'far home');
  const own = join(folder, 'own');
  const bin = join(folder, 'bin');
  for (const each of [join(home, '.claude'), own, bin]) mkdirSync(each, { recursive: true });
  writeFileSync(join(home, '.claude', 'settings.json'), SETTINGS, { mode: 0o640 });
  const login = join(folder, 'login');
  writeFileSync(
    login,
    `#!/bin/sh\nunset BELFRY_HOME\nexport HOME='${home}'\ncd\n${path && `export PATH='${path}'\n`}${profile}\nexec ${shell} -c "$SSH_ORIGINAL_COMMAND"\n`,
  );
  chmodSync(login, 0o755);
  const server = await startSshServer(login);
  if (server === null) return null;
  const proxy = await startBreakingProxy(server.port);
  const known = [
    'HostName 127.0.0.1',
    `Port ${proxy.port}`,
    `User ${userInfo().username}`,
    `IdentityFile ${server.key}`,
  ];
  const keys = ['IdentitiesOnly yes', 'StrictHostKeyChecking accept-new', `UserKnownHostsFile ${server.known}`];
  const config = join(folder, 'ssh_config');
  writeFileSync(config, ['Host box', ...known, ...keys, ...HOSTILE].join('\n'));
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${config} "$@"\n`);
  chmodSync(join(bin, 'ssh'), 0o755);
  // A program with the client's name, to be the parent of its hooks.
  copyFileSync('/bin/dash', join(bin, 'claude'));
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, BELFRY_HOME: own };
  const settings = join(home, '.claude', 'settings.json');
  const line = (event: string, file = settings): string =>
    commandsOf(file, event).find((one) => !isAskCommand(one)) ?? '';
  const farEnv = { HOME: home, PATH: process.env['PATH'] };
  return {
    home,
    own,
    proxy,
    belfry: (...args) => belfry(own, args, { env, limit: 120_000 }),
    daemon: () => startDaemon(own, { env }),
    hook: (event, input, file) =>
      run('sh', ['-c', line(event, file === undefined ? settings : join(home, file))], farEnv, {
        input: JSON.stringify(input),
      }),
    client: () => {
      const script = `while IFS= read -r hook && IFS= read -r input; do echo "$input" | sh -c "$hook"; done`;
      const child = spawn(join(bin, 'claude'), ['-c', script], { env: farEnv, stdio: ['pipe', 'ignore', 'ignore'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      return {
        pid: child.pid ?? 0,
        event: (event, input) => void child.stdin.write(`${line(event)}\n${JSON.stringify(input)}\n`),
        kill: () => void child.kill('SIGKILL'),
      };
    },
    asks: (event, input, file) => {
      const all = commandsOf(file === undefined ? settings : join(home, file), event);
      const [ask = '', notify = ''] = [all.find(isAskCommand), all.find((one) => !isAskCommand(one))];
      // First the hook that notifies, then the one that waits; both are children of the client.
      const script = 'printf %s "$1" | sh -c "$2"; printf %s "$1" | sh -c "$3"; exit $?';
      const words = ['-c', script, 'claude', JSON.stringify(input), notify, ask];
      const child = spawn(join(bin, 'claude'), words, {
        env: farEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      const { pid = 0 } = child;
      const kill: FarAsking['kill'] = (what) => {
        try {
          process.kill(what === 'hooks' ? -pid : pid, what === 'hooks' ? 'SIGTERM' : 'SIGKILL');
        } catch {
          // it has ended
        }
      };
      onTestFinished(() => kill('hooks'));
      const said = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const)
        child[name].on('data', (chunk: Buffer) => {
          said[name] += chunk.toString();
        });
      let endedAt: number | null = null;
      let ended: { code: number | null; stdout: string; stderr: string } | null = null;
      child.on('close', (code) => {
        ended = { code, ...said };
        endedAt = performance.now();
      });
      return {
        pid,
        over: () => until(() => ended, 'the waiting hook to end'),
        isOver: () => ended !== null,
        endedAt: () => endedAt,
        kill,
      };
    },
    events: async (session) => {
      const { stdout } = await belfry(own, ['events', '--json', '--session', session, '--limit', '10000'], { env });
      return JSON.parse(stdout) as FarEvent[];
    },
  };
}

function commandsOf(settings: string, event: string): readonly string[] {
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8').replace(/^\s*\/\/.*$/m, '')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  return (hooks[event] ?? []).flatMap((group) => group.hooks.map(({ command }) => command));
}

/** Waits until it is as `state` says in `belfry remote list`. */
export const untilState = (far: FarMachine, state: string): Promise<true> =>
  until(async () => {
    const { remotes } = JSON.parse((await far.belfry('remote', 'list', '--json')).stdout) as {
      remotes: { status: { state: string } | null }[];
    };
    return remotes[0]?.status?.state === state;
  }, `the machine to be ${state}`);
