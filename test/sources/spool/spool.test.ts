// The spool as a source: order, pick-up while running, refusals, hostile and half files.
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { readSpoolFile } from '../../../src/sources/spool/spool-file.ts';
import { type SpoolSource, watchSpool } from '../../../src/sources/spool/spool.ts';
import { encodeEnvelope, type Envelope } from '../../../src/ipc/envelope.ts';
import type { Acknowledgement } from '../../../src/ipc/frames.ts';
import { newId } from '../../../src/ipc/id.ts';
import { endMark, partialName } from '../../../src/ipc/shell-spool-file.ts';
import type { Paths } from '../../../src/runtime/paths.ts';
import { writeSpool } from '../../../src/ipc/spool.ts';
import { virtualClock } from '../../support/clock.ts';
import { pathsBelow, temporaryFolder } from '../../support/home.ts';
import { until } from '../../support/wait.ts';

interface Watched extends SpoolSource {
  readonly got: Envelope[];
  readonly texts: () => string[];
  readonly logged: string[];
}

function watchIn(
  paths: Paths,
  accept?: (envelope: Envelope) => Promise<Acknowledgement>,
  clock: Clock = systemClock,
): Watched {
  const got: Envelope[] = [];
  const logged: string[] = [];
  const source = watchSpool({
    folder: paths.spool,
    quarantine: paths.quarantine,
    clock,
    keyOf: ({ raw }) => /"of":"(\w+)"/.exec(Buffer.from(raw).toString())?.[1] ?? 'nobody',
    log: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    accept: async (envelope) => {
      const answer: Acknowledgement = accept ? await accept(envelope) : { ok: true, id: envelope.id };
      if (answer.ok) got.push(envelope);
      return answer;
    },
  });
  onTestFinished(() => source.close());
  return {
    got,
    logged,
    texts: () => got.map((e) => Buffer.from(e.raw).toString()),
    idle: () => source.idle(),
    precedes: source.precedes,
    unread: source.unread,
    close: () => source.close(),
  };
}

const home = (): Paths => pathsBelow(temporaryFolder());

function envelope(raw: string, at: number): Envelope {
  return { id: newId(at), startedAt: at, receivedAt: at, origin: { pid: 1, ppid: 1, env: {} }, raw: Buffer.from(raw) };
}

/** A pid that nobody has. */
function deadPid(): number {
  return spawnSync('true').pid;
}

function livePid(): number {
  const child = spawn('sleep', ['600']);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

function openFile(raw: string, more: object = {}): string {
  return `${JSON.stringify({ v: 1, ppid: 1, env: { TERM: 'x', EMPTY: '' }, ...more })}\n${raw}`;
}

test('a backlog is taken over in the order of its events and removed', async () => {
  const paths = home();
  const order = Array.from({ length: 200 }, (_, i) => i);
  for (const i of [...order].reverse()) expect(writeSpool(paths.spool, envelope(String(i), 1e12 + i))).toBeNull();
  const watched = watchIn(paths);
  await watched.idle();
  expect(watched.texts()).toEqual(order.map(String));
  expect(readdirSync(paths.spool)).toEqual([]);
});

test('what comes while it runs is picked up at once, from either hook', async () => {
  const paths = home();
  const watched = watchIn(paths);
  const pid = livePid();
  writeSpool(paths.spool, envelope('node', Date.now()));
  await until(() => watched.got.length === 1, 'the event');
  const file = join(paths.spool, partialName(pid));
  writeFileSync(file, openFile('{"a":', { agent: 'x', event: 'Stop', cwd: '/c' }));
  writeFileSync(file, `1}\n${endMark(pid)}`, { flag: 'a' });
  await until(() => watched.got.length === 2, 'the event');
  expect(watched.texts()).toEqual(['node', '{"a":1}\n']);
  expect(watched.got[1]).toMatchObject({ agent: 'x', event: 'Stop', origin: { pid, cwd: '/c', env: { TERM: 'x' } } });
  expect(readdirSync(paths.spool)).toEqual([]);
});

test('the processor is left to a shell at its end, where nothing else waits', async () => {
  const givesWay = vi.spyOn(Atomics, 'wait');
  onTestFinished(() => givesWay.mockRestore());
  const paths = home();
  const writeAs = (pid: number): void =>
    writeFileSync(join(paths.spool, partialName(pid)), `${openFile('{}')}${endMark(pid)}`);
  mkdirSync(paths.spool, { recursive: true, mode: 0o700 });
  for (let pid = 11; pid < 19; pid++) writeAs(pid);
  const spool = watchIn(paths);
  await until(() => spool.got.length === 8, 'the backlog');
  expect(givesWay.mock.calls.length).toBeLessThanOrEqual(1); // the last of them
  givesWay.mockClear();
  writeSpool(paths.spool, envelope('{}', Date.now()));
  await until(() => spool.got.length === 9, "the hook program's");
  expect(givesWay).not.toHaveBeenCalled();
  writeAs(4);
  await until(() => spool.got.length === 10, "the shell's");
  expect(givesWay).toHaveBeenCalledOnce();
  const [, , , ms = 0] = givesWay.mock.calls[0] ?? [];
  expect(ms).toBeGreaterThan(0);
  expect(ms).toBeLessThan(1);
});

test('an open file has the same id when it is read again', async () => {
  const paths = home();
  mkdirSync(paths.spool, { recursive: true });
  writeFileSync(join(paths.spool, partialName(4)), openFile('{}') + endMark(4));
  const ids: string[] = [];
  for (let i = 0; i < 2; i++) {
    const watched = watchIn(paths, async ({ id }) => {
      ids.push(id);
      return { ok: false, error: 'the daemon dies here' };
    });
    await watched.idle();
    await watched.close();
  }
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe(ids[1]);
});

test('a refusal keeps the file and is tried again in order', async () => {
  const paths = home();
  for (let i = 0; i < 30; i++) writeSpool(paths.spool, envelope(String(i), 1e12 + i));
  let full = true;
  const watched = watchIn(paths, async ({ id }) => (full ? { ok: false, error: 'disk full' } : { ok: true, id }));
  await watched.idle();
  expect(readdirSync(paths.spool)).toHaveLength(30);
  full = false;
  await until(() => watched.got.length === 30, 'all of them');
  expect([...watched.texts()].sort((a, b) => Number(a) - Number(b))).toEqual(watched.texts());
});

const header = (length: number): string =>
  `${JSON.stringify({ v: 1, id: 'abcdefgh', startedAt: 1, receivedAt: 1, origin: {}, length })}\n`;

test.each<[string, (file: string, at: string) => void, string]>([
  ['an empty file', (file) => writeFileSync(file, ''), 'no header'],
  ['text', (file) => writeFileSync(file, 'hello\nworld'), 'not JSON'],
  ['a body that is too short', (file) => writeFileSync(file, `${header(9)}12345678`), 'the header says'],
  ['a link to a secret', (file, at) => symlinkSync(join(at, 'secret'), file), 'symbolic link'],
  ['a folder', (file) => mkdirSync(file), 'no regular file'],
  ['a FIFO', (file) => void spawnSync('mkfifo', [file]), 'no regular file'],
  ['a file of 20 MB', (file) => writeFileSync(file, Buffer.alloc(20 * 1024 * 1024)), 'larger'],
])('%s goes to the quarantine and holds nobody up', async (_name, spoil, reason) => {
  const paths = home();
  const bad = envelope('bad', 1e12);
  mkdirSync(paths.spool, { recursive: true });
  writeFileSync(join(paths.run, '..', 'secret'), 'secret');
  spoil(join(paths.spool, `${bad.id}.event`), join(paths.run, '..'));
  writeSpool(paths.spool, envelope('good', 1e12 + 1));
  const watched = watchIn(paths);
  await watched.idle();
  expect(watched.texts()).toEqual(['good']);
  expect(readdirSync(paths.quarantine)).toHaveLength(1);
  expect(watched.logged.join()).toContain(reason);
  expect(statSync(paths.quarantine).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(paths.run, '..', 'secret'), 'utf8')).toBe('secret');
});

test('the quarantine takes any number of them and keeps the latest 500', async () => {
  const paths = home();
  for (let i = 0; i < 505; i++) {
    const { id } = envelope('', 1e12 + i);
    mkdirSync(paths.spool, { recursive: true });
    writeFileSync(join(paths.spool, `${id}.event`), `unreadable ${i}`);
    utimesSync(join(paths.spool, `${id}.event`), i, i);
  }
  const watched = watchIn(paths);
  await watched.idle();
  const texts = readdirSync(paths.quarantine).map((name) => readFileSync(join(paths.quarantine, name), 'utf8'));
  expect(texts.sort()).toEqual(Array.from({ length: 500 }, (_, i) => `unreadable ${i + 5}`).sort());
});

test('half files: whole JSON of a dead writer is kept, the rest is put aside, a living one is waited for', async () => {
  const paths = home();
  mkdirSync(paths.spool, { recursive: true });
  const [killed, torn, living] = [deadPid(), deadPid(), livePid()];
  const put = (name: string, text: string): void => {
    writeFileSync(join(paths.spool, name), text);
    const past = Date.now() / 1000 - 5;
    utimesSync(join(paths.spool, name), past, past);
  };
  put(partialName(killed), openFile('{"whole":true}'));
  put(partialName(torn), openFile('{"torn":'));
  put(`.${deadPid()}.${newId(5)}.part`, '{"v":1');
  put(`.${living}.${newId(5)}.part`, '{"v":1');
  const watched = watchIn(paths);
  await until(() => watched.got.length === 1 && readdirSync(paths.quarantine).length === 2, 'both verdicts');
  expect(watched.texts()).toEqual(['{"whole":true}']);
  expect(readdirSync(paths.spool)).toEqual([expect.stringContaining(`.${living}.`)]);
});

test('a whole file is left to the living program that is about to give it its name', () => {
  const folder = temporaryFolder();
  const stateOf = (writer: number, age: number): string => {
    const name = `.${writer}.${newId(5)}.part`;
    writeFileSync(join(folder, name), encodeEnvelope(envelope('text', 5)));
    return readSpoolFile(folder, name, statSync(join(folder, name)).mtimeMs + age).state;
  };
  const living = livePid();
  expect(stateOf(living, 100)).toBe('unfinished');
  expect(stateOf(deadPid(), 100)).toBe('whole'); // killed before that
  expect(stateOf(living, 2_000)).toBe('whole'); // the pid is another program's by now
  expect(stateOf(living, -3_600_000)).toBe('whole'); // and the clock was set back
});

test('whole JSON of a hook whose pid is another process by now is kept', async () => {
  const paths = home();
  mkdirSync(paths.spool, { recursive: true });
  const file = join(paths.spool, partialName(livePid()));
  writeFileSync(file, openFile('{"whole":true}'));
  const past = Date.now() / 1000 - 120;
  utimesSync(file, past, past);
  const watched = watchIn(paths);
  await watched.idle();
  expect(watched.texts()).toEqual(['{"whole":true}']);
  expect(readdirSync(paths.spool)).toEqual([]);
});

test('of two shells with the same pid, one after the other, both are heard', async () => {
  const paths = home();
  const watched = watchIn(paths);
  const pid = deadPid();
  for (const n of [1, 2, 3]) {
    writeFileSync(join(paths.spool, partialName(pid)), `{"v":1,"ppid":1,"env":{}}\n{"n":${n}}${endMark(pid)}`);
    await until(() => watched.got.length === n && readdirSync(paths.spool).length === 0, 'the event');
  }
  expect(watched.texts()).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
});

test('a file that somebody else removed is waited for no more: the next one of its name is heard at once', async () => {
  const paths = home();
  mkdirSync(paths.spool, { recursive: true });
  const pid = deadPid();
  const [made, file] = [join(paths.spool, '..', 'made'), join(paths.spool, partialName(pid))];
  const put = (n: number): void => {
    writeFileSync(made, `{"v":1,"ppid":1,"env":{}}\n{"n":${n}}${endMark(pid)}`);
    renameSync(made, file); // the system tells of it once
  };
  const watched = watchIn(paths, async ({ id }) => {
    if (watched.got.length === 0) {
      unlinkSync(file);
      await until(() => told === 2, 'the system to tell that it came and that it went');
    }
    return { ok: true, id };
  });
  let told = 0;
  const watcher = watch(paths.spool, (_change, name) => {
    if (name === partialName(pid)) told += 1;
  });
  onTestFinished(() => watcher.close());
  put(1);
  await until(() => watched.got.length === 1, 'the first event');
  put(2);
  await until(() => watched.got.length === 2 && !existsSync(file), 'the second event', 10_000);
  expect(watched.texts()).toEqual(['{"n":1}', '{"n":2}']);
});

test('an input that never ends is ended by the daemon, and only its own reader', async () => {
  const paths = home();
  const watched = watchIn(paths);
  const script = `{ printf '{"v":1,"ppid":1}\\n'; printf '{"a":1}'; cat; printf '\\n#end %s\\n' $$; } >$0/$$.open`;
  const child = spawn('sh', ['-c', script, paths.spool], { stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const code = await new Promise((resolve) => child.on('exit', resolve));
  expect(code).toBe(0);
  await until(() => watched.got.length === 1, 'the event');
  expect(watched.texts()).toEqual(['{"a":1}']);
});

test('other files are left alone; a removed folder is made again', async () => {
  const paths = home();
  mkdirSync(paths.spool, { recursive: true, mode: 0o755 });
  writeFileSync(join(paths.spool, 'notes.txt'), 'mine');
  const watched = watchIn(paths);
  await watched.idle();
  expect(existsSync(join(paths.spool, 'notes.txt'))).toBe(true);
  expect(statSync(paths.spool).mode & 0o777).toBe(0o700);
});

test('what comes while a long backlog is read has its place in the order', async () => {
  const paths = home();
  for (let i = 0; i < 3_000; i++) writeSpool(paths.spool, envelope(`old ${i}`, 1e12 + 2 * i));
  let late = false;
  const watched = watchIn(paths, async ({ id }) => {
    if (!late) {
      late = true;
      const away = pathsBelow(join(paths.state, 'away'));
      for (const fresh of [envelope('between', 1e12 + 5_001), envelope('new', Date.now())]) {
        writeSpool(away.spool, fresh);
        renameSync(join(away.spool, `${fresh.id}.event`), join(paths.spool, `${fresh.id}.event`));
      }
    }
    return { ok: true, id };
  });
  await until(() => watched.got.length === 3_002, 'all of them');
  const expected = Array.from({ length: 3_000 }, (_, i) => `old ${i}`);
  expect(watched.texts()).toEqual([...expected.slice(0, 2_501), 'between', ...expected.slice(2_501), 'new']);
});

/** Whether something of `key` that began before `startedAt` may still come. */
const asks =
  ({ precedes }: SpoolSource) =>
  (key: string, startedAt: number): boolean =>
    precedes({ keys: [key], startedAt });

test('what is on its way precedes what began later: of anybody until it is read, then of its own session until it is kept', async () => {
  const paths = home();
  let keep = (): void => undefined;
  const kept = new Promise<void>((resolve) => (keep = resolve));
  for (let i = 0; i < 20; i++) writeSpool(paths.spool, envelope(`{"of":"s${i}"}`, 1_000 + i)); // sixteen are handed on at once
  const spool = watchIn(paths, async ({ id }) => {
    await kept;
    return { ok: true, id };
  });
  const may = asks(spool);
  onTestFinished(keep);
  expect(may('other', 1_016)).toBe(true); // nobody has looked whose they are
  await until(() => !may('other', 1_016), 'sixteen to be read');
  expect(['s0', 's15', 's16'].map((key) => may(key, 1_016))).toEqual([true, true, false]);
  expect([may('s3', 1_003), may('s3', 1_004)]).toEqual([false, true]);
  expect(may('other', 1_017)).toBe(true); // the seventeenth was not read: whose it is nobody knows
  keep();
  await until(() => spool.got.length === 20, 'all to be kept');
  await spool.idle();
  expect(may('s19', 9_999)).toBe(false);
});

test('an input that is being written precedes: of anybody at first, then of its own session, and for two seconds at most', async () => {
  const paths = home();
  const spool = watchIn(paths);
  const may = asks(spool);
  const file = join(paths.spool, partialName(livePid()));
  writeFileSync(file, openFile('{"of":"mine", "more":'));
  await until(() => may('other', Date.now() + 1), 'it to be noticed');
  const begun = statSync(file).birthtimeMs;
  await until(() => !may('other', Date.now() + 1), 'it to be read');
  expect(Date.now() - begun).toBeLessThan(1_000);
  expect([may('mine', Date.now() + 1), may('mine', Math.round(begun) - 1)]).toEqual([true, false]);
  await until(() => !may('mine', Date.now() + 1), 'it to be given up');
  expect(Date.now() - begun).toBeGreaterThanOrEqual(1_990);
});

test('what cannot be kept precedes nothing, and what stands still for no more than two seconds', async () => {
  const paths = home();
  writeSpool(paths.spool, envelope('{"of":"mine"}', 1_000));
  const clock = virtualClock();
  let answer: (given: Acknowledgement) => void = () => undefined;
  const spool = watchIn(paths, () => new Promise((resolve) => (answer = resolve)), clock);
  const may = asks(spool);
  expect(may('mine', 2_000)).toBe(true);
  await clock.advance(2_001);
  expect(may('mine', 2_000)).toBe(false);
  answer({ ok: false, error: 'the disk is full' });
  await spool.idle();
  expect(may('mine', 2_000)).toBe(false);
});

test('what lay there at the start is unread until all of it is kept; what comes later does not count', async () => {
  const paths = home();
  for (let i = 0; i < 200; i++) writeSpool(paths.spool, envelope(`{"of":"s${i}"}`, 1_000 + i));
  writeFileSync(join(paths.spool, 'damaged.event'), 'no envelope');
  let accepts = false;
  const spool = watchIn(paths, async ({ id }) =>
    accepts ? { ok: true, id } : { ok: false, error: 'the disk is full' },
  );
  expect(spool.unread()).toBe(true);
  await until(() => spool.logged.some((line) => line.includes('tried again')), 'the first to be refused');
  expect(spool.unread()).toBe(true);
  accepts = true;
  await until(() => !spool.unread(), 'all to be kept');
  expect(spool.got).toHaveLength(200);
  writeSpool(paths.spool, envelope('{"of":"later"}', 1_000));
  expect(spool.unread()).toBe(false);
});

test('what cannot be taken over holds up nobody for longer than a minute', async () => {
  const paths = home();
  writeSpool(paths.spool, envelope('{"of":"refused"}', 1_000));
  const clock = virtualClock();
  const spool = watchIn(paths, async () => ({ ok: false, error: 'the disk is full' }), clock);
  await spool.idle();
  expect(spool.unread()).toBe(true);
  for (let second = 0; second < 61; second++) await clock.advance(1_000);
  expect(spool.unread()).toBe(false);
});
