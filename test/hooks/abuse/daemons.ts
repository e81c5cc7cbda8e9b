// Daemons that are not there or not well, and clients that do not wait.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { expect } from 'vitest';
import { type Case, type DaemonState, JSON_INPUT } from './case.ts';

const STATES: readonly DaemonState[] = [
  'down',
  'hung',
  'hangs up',
  'refuses',
  'garbage',
  'endless',
  'piecemeal',
  'deaf',
];
const never = (stdin: { write(text: string): unknown }): void => void stdin.write(JSON_INPUT);

/** A socket whose owner was killed. */
const orphan = 'require("net").createServer().listen(process.argv[1],()=>process.kill(process.pid,"SIGKILL"))';

const DAEMONS: readonly Case[] = [
  ...STATES.map((daemon): Case => ({ name: `daemon ${daemon}`, daemon, kept: JSON_INPUT })),
  { name: 'daemon deaf to 10 MB', daemon: 'deaf', input: Buffer.alloc(1e7, 'x'), kept: Buffer.alloc(1e7, 'x') },
  {
    name: 'a socket that nobody owns',
    daemon: 'down',
    prepare: ({ paths }) => {
      mkdirSync(paths.run, { mode: 0o700 });
      spawnSync(process.execPath, ['-e', orphan, paths.socket]);
      expect(existsSync(paths.socket)).toBe(true);
    },
    kept: JSON_INPUT,
  },
];

// The Node program keeps what it has read from the moment it runs; until then (about 50 ms) a signal ends it as any
// program, so these are sent once it does. The shell hook ignores them from its first line on.
const signals = (['SIGTERM', 'SIGHUP', 'SIGINT'] as const).flatMap((name): readonly Case[] => [
  {
    name: `${name} while stdin is open`,
    hooks: ['node'],
    input: never,
    signal: { name },
    kept: JSON_INPUT,
  },
  {
    name: `${name} at once, five times`,
    hooks: ['fast'],
    input: never,
    signal: { name, times: 5 },
    kept: JSON_INPUT,
  },
]);

const CLIENTS: readonly Case[] = [
  ...signals,
  {
    name: 'a client that leaves at once',
    around: 'exec 3<&0; "$@" <&3 & exit 0',
    kept: JSON_INPUT,
  },
  {
    name: 'a client that has left its terminal',
    around: 'setsid "$@"',
    kept: JSON_INPUT,
  },
  {
    name: 'signals ignored by the client',
    around: `trap '' HUP INT TERM PIPE; "$@"`,
    kept: JSON_INPUT,
  },
];

export const DAEMON_CASES: readonly Case[] = [
  ...DAEMONS.map((c) => ({ ...c, name: `daemons: ${c.name}` })),
  ...CLIENTS.map((c) => ({ ...c, name: `clients: ${c.name}` })),
];
