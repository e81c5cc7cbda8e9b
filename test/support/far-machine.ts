// A machine elsewhere for the tests: an account behind a real sshd with a home of its own, and a person's ssh that knows it as `box`.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { onTestFinished } from 'vitest';
import { type BreakingProxy, startBreakingProxy } from './breaking-proxy.ts';
import { temporaryFolder } from './home.ts';
import { belfry, type Ran, run, type RunningDaemon, startDaemon } from './programs.ts';
import { startSshServer } from './ssh-server.ts';
import { until } from './wait.ts';

export interface FarEvent {
  readonly id: string;
  readonly title: string;
  readonly message: string | null;
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
  /** Runs what an agent's settings there say for an event, as a client of this name would. */
  hook(event: string, input: Readonly<Record<string, unknown>>): Promise<Ran>;
  /** A process there with the client's name, which runs the event's hook for each line on its stdin, and its pid. */
  client(): {
    readonly pid: number;
    event(event: string, input: Readonly<Record<string, unknown>>): void;
    kill(): void;
  };
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
  const line = (event: string): string => commandOf(join(home, '.claude', 'settings.json'), event);
  const farEnv = { HOME: home, PATH: process.env['PATH'] };
  return {
    home,
    own,
    proxy,
    belfry: (...args) => belfry(own, args, { env, limit: 120_000 }),
    daemon: () => startDaemon(own, { env }),
    hook: (event, input) => run('sh', ['-c', line(event)], farEnv, { input: JSON.stringify(input) }),
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
    events: async (session) => {
      const { stdout } = await belfry(own, ['events', '--json', '--session', session, '--limit', '10000'], { env });
      return JSON.parse(stdout) as FarEvent[];
    },
  };
}

function commandOf(settings: string, event: string): string {
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8').replace(/^\s*\/\/.*$/m, '')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  return hooks[event]?.[0]?.hooks[0]?.command ?? '';
}

/** Waits until it is as `state` says in `belfry remote list`. */
export const untilState = (far: FarMachine, state: string): Promise<true> =>
  until(async () => {
    const { remotes } = JSON.parse((await far.belfry('remote', 'list', '--json')).stdout) as {
      remotes: { status: { state: string } | null }[];
    };
    return remotes[0]?.status?.state === state;
  }, `the machine to be ${state}`);
