// Hostile folders, and what the daemon's sign of life may be instead.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { daemonLock } from '../../../src/runtime/autostart.ts';
import { aliveFile } from '../../../src/runtime/daemon-file.ts';
import { type Case, JSON_INPUT, type World } from './case.ts';

/** Replaces the spool of a daemon that is down. */
const spool = (name: string, prepare: (world: World) => void, more: Partial<Case> = {}): Case => ({
  name: `spool ${name}`,
  daemon: 'down',
  kept: JSON_INPUT,
  prepare,
  ...more,
});

function newFolder(path: string): string {
  mkdirSync(path, { mode: 0o700 });
  return path;
}

function linkTo({ paths, home }: World, target: string): void {
  mkdirSync(join(home, 'elsewhere'), { mode: 0o700 });
  symlinkSync(target, paths.spool);
}

const elsewhereEmpty = ({ home }: World): void => expect(readdirSync(join(home, 'elsewhere'))).toEqual([]);

const SPOOL: readonly Case[] = [
  spool('that is missing', () => undefined),
  spool('that is a link', (world) => linkTo(world, 'elsewhere'), { kept: 'nothing', after: elsewhereEmpty }),
  spool('that is a broken link', (world) => linkTo(world, 'nowhere'), { kept: 'nothing', after: elsewhereEmpty }),
  spool('that is a file', ({ paths }) => writeFileSync(paths.spool, 'mine'), {
    kept: 'nothing',
    after: ({ paths }) => expect(readFileSync(paths.spool, 'utf8')).toBe('mine'),
  }),
  spool('that is a device', ({ paths }) => symlinkSync('/dev/null', paths.spool), { kept: 'nothing' }),
  spool('that all may read', ({ paths }) => void chmodSync(newFolder(paths.spool), 0o777), {
    after: ({ paths }) => expect(statSync(paths.spool).mode & 0o777).toBe(0o700),
  }),
  spool('that holds a hundred strange files', ({ paths }) => {
    mkdirSync(paths.spool, { mode: 0o700 });
    for (let i = 0; i < 100; i++) writeFileSync(join(paths.spool, `-rf ${i}\n*`), '', { mode: 0o600 });
  }),
  // Only root can give a folder away; anybody else would meet the same check on a folder of root's.
  spool(
    'of another user',
    ({ paths }) => {
      if (process.getuid?.() !== 0) return symlinkSync('/', paths.spool);
      mkdirSync(paths.spool, { mode: 0o777 });
      chownSync(paths.spool, 12345, 12345);
    },
    { kept: 'nothing' },
  ),
];

/** What the file may say while a real daemon listens. */
const ALIVE: readonly Case[] = (
  [
    ['is empty', ''],
    ['is text', 'hello world\n'],
    ['is shell text', '$(touch pwned);`touch pwned`\n'],
    ['names no process', '999999999 belfry\n'],
    ['names the first process', '1\n'],
    ['names a group', '-1 x\n'],
    ['names nothing but zero', '0 \n'],
    ['is binary', '\0\xff\0\n'],
    ['has no end of line', '12'],
    ['is long', `${'9'.repeat(5_000)}\n`],
  ] as const
).map(([name, text]) => ({
  name: `sign of life ${name}`,
  kept: JSON_INPUT,
  prepare: ({ paths }) => writeFileSync(aliveFile(paths), text),
}));

function replaceAlive(how: (path: string) => void): (world: World) => void {
  return ({ paths }) => {
    rmSync(aliveFile(paths));
    how(aliveFile(paths));
  };
}

const PLACES: readonly Case[] = [
  { name: 'sign of life is a folder', kept: JSON_INPUT, prepare: replaceAlive((path) => mkdirSync(path)) },
  {
    name: 'sign of life is a FIFO',
    kept: JSON_INPUT,
    prepare: replaceAlive((path) => void spawnSync('mkfifo', [path])),
  },
  { name: 'sign of life is missing', kept: JSON_INPUT, prepare: replaceAlive(() => undefined) },
  {
    name: 'its file is there already',
    hooks: ['fast'],
    around: 'echo mine >"$BELFRY_HOME/spool/$$.open"; chmod 600 "$BELFRY_HOME/spool/$$.open"; exec "$@"',
    kept: JSON_INPUT,
  },
  {
    name: 'its file is a link to somebody else’s',
    hooks: ['fast'],
    prepare: ({ home }) => writeFileSync(join(home, 'precious'), 'precious', { mode: 0o600 }),
    around: 'ln -s "$BELFRY_HOME/precious" "$BELFRY_HOME/spool/$$.open"; exec "$@"',
    kept: JSON_INPUT,
    after: ({ home }) => expect(readFileSync(join(home, 'precious'), 'utf8')).toBe('precious'),
  },
  {
    name: 'socket is a file',
    daemon: 'down',
    kept: JSON_INPUT,
    prepare: ({ paths }) => void writeFileSync(join(newFolder(paths.run), 'belfry.sock'), 'x'),
  },
  {
    name: 'socket is a folder',
    daemon: 'down',
    kept: JSON_INPUT,
    prepare: ({ paths }) => void mkdirSync(paths.socket, { recursive: true }),
  },
  {
    name: 'socket is a broken link',
    daemon: 'down',
    kept: JSON_INPUT,
    prepare: ({ paths }) => void symlinkSync('nowhere', join(newFolder(paths.run), 'belfry.sock')),
  },
  {
    name: 'run is a file',
    daemon: 'down',
    kept: JSON_INPUT,
    prepare: ({ paths }) => writeFileSync(paths.run, 'x'),
  },
  ...(['up', 'down'] as const).map(
    (daemon): Case => ({
      name: `the log of reasons is a FIFO, daemon ${daemon}`,
      daemon,
      kept: JSON_INPUT,
      env: () => ({ BELFRY_DEBUG: '1' }),
      prepare: ({ paths }) => {
        if (daemon === 'down') newFolder(paths.state);
        spawnSync('mkfifo', ['-m', '600', paths.hookLog]);
      },
    }),
  ),
  {
    name: 'settings and locks are FIFOs, and a start is allowed',
    daemon: 'down',
    kept: JSON_INPUT,
    env: () => ({ BELFRY_NO_AUTOSTART: undefined }),
    prepare: ({ paths }) => {
      newFolder(paths.run);
      for (const path of [paths.config, paths.daemonFile, daemonLock(paths)]) spawnSync('mkfifo', ['-m', '600', path]);
      // Held by a process that lives: nothing is started.
      writeFileSync(join(paths.run, 'start.lock'), JSON.stringify({ pid: 1, start: null, at: Date.now() }), {
        mode: 0o600,
      });
    },
  },
  {
    name: 'a home too long for a socket',
    kept: 'whatever',
    env: ({ home }) => ({ BELFRY_HOME: join(home, 'x'.repeat(150)) }),
    after: ({ home }) => expect(readdirSync(join(home, 'x'.repeat(150), 'spool'))).toHaveLength(1),
  },
];

export const FOLDERS: readonly Case[] = [...SPOOL, ...ALIVE, ...PLACES].map((c) => ({
  ...c,
  name: `folders: ${c.name}`,
}));
