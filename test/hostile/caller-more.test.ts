// What is said of who gives a command is not believed: it is shown by a file that only a process of this machine can open, once.
import { type ChildProcess, spawn } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openProof } from '../../src/ipc/caller-proof.ts';
import { type Conversation, converse } from '../support/answering.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, hook, startDaemon } from '../support/programs.ts';
import { homeWith, stop } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { NOT_FROM_AFAR } from './forwarded-commands.ts';
import { hostileHome } from './hostile-home.ts';

const AUTH = 3;
const onLinux = test.runIf(process.platform === 'linux');

let home = '';
beforeAll(async () => {
  ({ home } = await hostileHome());
});

const proofs = (of = home): string => join(of, 'run', 'proofs');
const proofFiles = (of = home): readonly string[] => readdirSync(proofs(of));

interface Asked {
  readonly talk: Conversation;
  /** The file to open. */
  readonly file: string;
  readonly content: () => string;
}

/** Gives a command as whoever has this pid, and hears which file to open. */
async function ask(pid: number, op = 'away'): Promise<Asked> {
  const talk = converse(home);
  talk.send({ v: 1, op, args: {}, pid });
  const line = (await talk.next()) as { prove?: string } | null;
  const file = join(proofs(), line?.prove ?? 'none');
  return { talk, file, content: () => readFileSync(file, 'utf8') };
}

async function answered({ talk }: Asked): Promise<{ readonly exit: number | null; readonly error: string }> {
  const line = await talk.next();
  return { exit: line?.exit ?? null, error: line?.error ?? '' };
}

/** Another process of this user, which opens what it is told. */
function helper(): ChildProcess & { readonly pid: number } {
  const child = spawn(
    process.execPath,
    ['-e', 'process.stdin.on("data", (path) => { require("fs").openSync(String(path).trim()); console.log("open") })'],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: bareEnv('/nonexistent'),
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return child as ChildProcess & { readonly pid: number }; // spawned: it has one
}

async function opens({ stdin, stdout }: ChildProcess, path: string): Promise<void> {
  const said = new Promise((resolve) => stdout?.once('data', resolve));
  stdin?.write(`${path}\n`);
  await said;
}

const FORGED: readonly (readonly [string, () => number])[] = [
  ['init', () => 1],
  ['another process of this user', () => helper().pid],
  ['no process', () => 2 ** 30],
];

onLinux.each(FORGED)('it says that it is %s: it is refused', async (_who, pid) => {
  const asked = await ask(pid());
  const proof = openProof(pathsBelow(home).run, JSON.stringify({ prove: asked.file.split('/').at(-1) }));
  onTestFinished(() => proof?.close());
  asked.talk.send(`${proof?.content}\n`);
  expect(await answered(asked)).toMatchObject({
    exit: AUTH,
    error: expect.stringContaining('does not see the process that asks'),
  });
  expect(proofFiles()).toEqual([]);
});

onLinux('it says that it is the process that had the file open and has left: it is refused', async () => {
  const other = helper();
  const asked = await ask(other.pid);
  await opens(other, asked.file);
  const content = asked.content();
  const left = new Promise((resolve) => other.once('exit', resolve));
  other.kill('SIGKILL');
  await left;
  asked.talk.send(`${content}\n`);
  expect(await answered(asked)).toMatchObject({ exit: AUTH });
});

onLinux('it has read the file and closed it: it is refused', async () => {
  const asked = await ask(process.pid);
  asked.talk.send(`${asked.content()}\n`);
  expect(await answered(asked)).toMatchObject({ exit: AUTH });
});

onLinux('another process has a file of the same name open elsewhere: it is refused', async () => {
  const other = helper();
  const asked = await ask(other.pid);
  const lookalike = join(temporaryFolder(), asked.file.split('/').at(-1) ?? '');
  writeFileSync(lookalike, asked.content());
  await opens(other, lookalike);
  asked.talk.send(`${asked.content()}\n`);
  expect(await answered(asked)).toMatchObject({ exit: AUTH });
});

onLinux('two at once: the process of the one is not believed to be that of the other', async () => {
  const person = helper();
  const [theirs, forged] = await Promise.all([ask(person.pid), ask(person.pid)]);
  await opens(person, theirs.file);
  forged.talk.send(`${forged.content()}\n`);
  theirs.talk.send(`${theirs.content()}\n`);
  expect([(await answered(forged)).exit, (await answered(theirs)).exit]).toEqual([AUTH, null]);
});

onLinux('what proved one command is sent for the next: it is refused', async () => {
  const first = await ask(process.pid, 'mute');
  const proof = openProof(pathsBelow(home).run, JSON.stringify({ prove: first.file.split('/').at(-1) }));
  onTestFinished(() => proof?.close());
  first.talk.send(`${proof?.content}\n`);
  expect((await answered(first)).exit).toBe(null);
  const second = await ask(process.pid, 'mute');
  expect(second.file).not.toBe(first.file);
  second.talk.send(`${proof?.content}\n`);
  expect((await answered(second)).exit).toBe(AUTH);
});

test('it never proves anything, and others are served meanwhile; then it is refused', async () => {
  const slow = await ask(process.pid, 'mute');
  expect((await belfry(home, ['mute', '1h', '--session', 's'])).code).toBe(0);
  expect(await answered(slow)).toMatchObject({ exit: AUTH });
  expect(proofFiles()).toEqual([]);
});

test('it says more than a proof, or nothing and leaves: it is refused, and nothing stays', async () => {
  const long = await ask(process.pid, 'mute');
  long.talk.send('0'.repeat(100_000));
  expect(await answered(long)).toMatchObject({ exit: AUTH });
  const gone = await ask(process.pid, 'mute');
  gone.talk.close();
  await until(() => proofFiles().length === 0, 'the file to be removed');
});

test('it is of a version that proves nothing: it is told so at once', async () => {
  const talk = converse(home);
  talk.send({ v: 1, op: 'mute', args: {} });
  expect(await talk.next()).toMatchObject({
    exit: AUTH,
    error: expect.stringContaining('older than the running daemon'),
  });
});

test('a daemon that was killed has left proofs: the next one removes them', async () => {
  const other = homeWith('');
  mkdirSync(proofs(other), { recursive: true, mode: 0o700 });
  writeFileSync(join(proofs(other), 'f'.repeat(32)), 'left');
  await startDaemon(other);
  expect((await belfry(other, ['mute', '1h', '--session', 's'])).code).toBe(0);
  expect(proofFiles(other)).toEqual([]);
});

test('a daemon elsewhere asks for a file of this machine: nothing of it is sent', () => {
  const run = join(temporaryFolder(), 'run');
  const name = 'a'.repeat(32);
  mkdirSync(join(run, 'proofs'), { recursive: true });
  writeFileSync(join(run, 'secret'), 'b'.repeat(32));
  symlinkSync('../secret', join(run, 'proofs', 'secret'));
  linkSync(join(run, 'secret'), join(run, 'proofs', 'c'.repeat(31)));
  writeFileSync(join(run, 'proofs', name), 'a private key');
  for (const prove of ['../secret', '/etc/passwd', 'secret', 'c'.repeat(31), '..', '', name])
    expect([prove, openProof(run, JSON.stringify({ prove }))?.content]).toEqual([prove, '']);
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'another user connects: they do not get in',
  async () => {
    const code = `const s = require('net').connect(process.argv[1]); s.on('connect', () => process.exit(0)); s.on('error', (e) => { console.log(e.code); process.exit(1) })`;
    const child = spawn(process.execPath, ['-e', code, pathsBelow(home).socket], {
      uid: 65_534,
      gid: 65_534,
      stdio: ['ignore', 'pipe', 'ignore'],
      cwd: '/',
    });
    const said = await new Promise((resolve) =>
      child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())),
    );
    expect(said).toBe('EACCES');
  },
);

/** The home of another account whose socket leads to this daemon, as `ssh -R` and `ssh -L` do it. */
async function forwardedHome(): Promise<string> {
  const far = homeWith('');
  mkdirSync(join(far, 'run'), { mode: 0o700 });
  const server = createServer((near) => {
    const onward = connect(pathsBelow(home).socket);
    near.pipe(onward).pipe(near);
    for (const socket of [near, onward]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(pathsBelow(far).socket, resolve));
  onTestFinished(() => void server.close());
  return far;
}

test.each(NOT_FROM_AFAR)(
  'the socket is forwarded to another account, which gives `belfry %s`: it is refused, with words',
  async (words) => {
    const far = await forwardedHome();
    const asked = converse(far);
    asked.send({ v: 1, op: words.split(' ')[0], args: {}, pid: process.pid });
    const name = (await asked.next()) as { prove?: string } | null;
    const proof = openProof(pathsBelow(far).run, JSON.stringify(name));
    asked.send(`${proof?.content}\n`);
    expect(await asked.next()).toMatchObject({
      exit: AUTH,
      error: expect.stringMatching(/is not taken from another machine .*terminal/),
    });
    expect((await belfry(home, ['status'])).code).toBe(0);
  },
);

test('the socket is forwarded to another account: its events are taken', async () => {
  const far = await forwardedHome();
  expect((await hook(far, JSON.stringify(stop('from-afar')))).code).toBe(0);
  await until(async () => (await belfry(home, ['events', '--json'])).stdout.includes('from-afar'), 'the event');
});
