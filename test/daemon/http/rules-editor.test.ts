// Saving rules from the page: what is refused, one by one, and how the file is written. Real files, and settings that follow them.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadInitial } from '../../../src/config/live/initial-load.ts';
import { watchConfig } from '../../../src/config/live/config-watcher.ts';
import { rulesEditor } from '../../../src/daemon/http/rules-editor.ts';
import { Refusal } from '../../../src/http/api/refusal.ts';
import { UserError } from '../../../src/model/errors.ts';
import { temporaryFolder } from '../../support/home.ts';
import { until } from '../../support/wait.ts';

const FILE = `# mine
[channels.desk]
type = "slack"
url = "secret:desk" # a reference

[channels.log]
type = "command"
run = ["true"]

# all of it
[[routes]]
to = ["desk"] # for now

[retention]
days = 3
`;

interface Editing {
  readonly file: string;
  readonly text: () => string;
  readonly routed: () => readonly (readonly string[])[];
  readonly get: () => Promise<{ readonly version: string; readonly text: string | null }>;
  readonly save: (
    text: string,
    version: string,
  ) => Promise<{ readonly problem: string | null; readonly version: string }>;
}

/** `prepare`: what taking the settings over begins with. */
async function editing(
  file = join(temporaryFolder(), 'config.toml'),
  prepare: () => Promise<void> = async () => undefined,
  given: string | Buffer | null = FILE,
): Promise<Editing> {
  if (given !== null) writeFileSync(file, given, { mode: 0o640 });
  const state = temporaryFolder();
  const files = { config: file, state, machineConfig: join(state, 'none.toml') };
  const first = await loadInitial(files, true, 1);
  const liveConfig = watchConfig(first, { files, log: () => undefined, now: () => 1 });
  liveConfig.follow({ prepare, onChange: async () => undefined, onInvalid: async () => undefined });
  onTestFinished(() => liveConfig.close());
  const reader = { read: () => Promise.reject(new Error('nothing is read here')) };
  const handlers = rulesEditor({ file, liveConfig }, reader);
  const caller = { token: null, local: true, place: { serving: '', address: '' } } as never; // nobody looks at it
  const empty = { params: {}, query: {}, body: {} };
  return {
    file,
    text: () => readFileSync(file, 'utf8'),
    routed: () => liveConfig.config().routes.map(({ to }) => to),
    get: async () => (await handlers['rules.text'](empty, caller)) as never, // an object, of our own
    save: async (text, version) =>
      (await handlers['rules.save']({ ...empty, body: { text, version } }, caller)) as never,
  };
}

/** The status and the words of a refusal, as the interface answers with. */
async function refused(
  work: Promise<unknown>,
): Promise<{ readonly status: number; readonly detail: string; readonly errors: unknown }> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Refusal) return { status: error.status, detail: error.message, errors: error.more['errors'] };
  if (error instanceof UserError) return { status: 409, detail: error.message, errors: undefined };
  throw new Error(`expected a refusal, got ${String(error)}`);
}

test('what is saved takes effect; comments, order, secrets and the mode of the file stay', async () => {
  const { file, text, routed, get, save } = await editing();
  const before = await get();
  expect(before.text).toBe('# all of it\n[[routes]]\nto = ["desk"] # for now\n');
  const rules = `${before.text}\n# at night\n[quiet]\nhours = ["22:00-07:00"]\n`;
  const saved = await save(rules.replace('["desk"]', '[]'), before.version);
  expect(saved.problem).toBeNull();
  expect(text()).toBe(
    FILE.replace('["desk"] # for now\n', '[] # for now\n\n# at night\n[quiet]\nhours = ["22:00-07:00"]\n'),
  );
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(routed()).toEqual([[]]);
  expect((await get()).version).toBe(saved.version);
  expect((await save(rules, saved.version)).problem).toBeNull();
  expect(routed()).toEqual([['desk']]);
});

const invalid: readonly (readonly [what: string, rules: string, line: number | null, says: string])[] = [
  ['no TOML', '[[routes]]\nto = ["desk"\n', 3, ''],
  [
    'another section',
    '[[routes]]\nto = []\n[channels.evil]\ntype = "command"\nrun = ["sh", "-c", "id"]\n',
    3,
    'is no rule',
  ],
  ['an address to listen on', '[http]\nlisten = ["0.0.0.0:1"]\n', 1, 'is no rule'],
  ['a program', '[[routes]]\nto = ["desk", "log"]\n', 2, 'log runs a program'],
  ['a channel that is not there', '[[routes]]\nto = ["dest"]\n', 2, 'no [channels.dest]'],
  ['a value that is none', '[quiet]\nhours = ["25:00-07:00"]\n', 2, 'hours'],
];

test.each(invalid)('refused, and nothing is changed: %s', async (_what, rules, line, says) => {
  const { file, text, routed, get, save } = await editing();
  const { status, detail, errors } = await refused(save(rules, (await get()).version));
  expect([status, detail]).toEqual([422, expect.stringContaining('nothing was changed')]);
  expect(errors).toContainEqual({ line, column: expect.anything(), message: expect.stringContaining(says) });
  expect(text()).toBe(FILE);
  expect(routed()).toEqual([['desk']]);
  expect(readdirSync(join(file, '..'))).toEqual(['config.toml']);
});

test('refused where the file was changed since it was read, also by two at once', async () => {
  const { file, text, get, save } = await editing();
  const { version } = await get();
  writeFileSync(file, FILE.replace('days = 3', 'days = 4'));
  expect(await refused(save('', version))).toMatchObject({
    status: 409,
    detail: expect.stringContaining('was changed'),
  });
  expect(text()).toContain('days = 4');
  const now = await get();
  const saves = ['', '[[routes]]\nto = []\n', '[quiet]\nhours = []\n'].map((rules) => save(rules, now.version));
  const ends = await Promise.allSettled(saves);
  expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(text()).not.toContain('[[routes]]');
  // Its mode is no part of what it says.
  const other = await get();
  chmodSync(file, 0o600);
  expect((await save('[[routes]]\nto = ["desk"]\n', other.version)).problem).toBeNull();
});

test('of the tries of a page the newest goes on, and none whose client has gone', async () => {
  const file = join(temporaryFolder(), 'config.toml');
  writeFileSync(file, FILE);
  const state = temporaryFolder();
  const files = { config: file, state, machineConfig: join(state, 'none.toml') };
  const options = { files, log: () => undefined, now: () => 1 };
  const liveConfig = watchConfig(await loadInitial(files, true, 1), options);
  onTestFinished(() => liveConfig.close());
  const asked: (AbortSignal | undefined)[] = [];
  const reader = {
    read: (_name: string, _call: unknown, over?: AbortSignal) => {
      asked.push(over);
      return new Promise<Buffer>((_resolve, reject) => over?.addEventListener('abort', () => reject(over.reason)));
    },
  };
  const handlers = rulesEditor({ file, liveConfig }, reader);
  const clients = { first: new AbortController(), second: new AbortController(), other: new AbortController() };
  /** Resolves once it is read. */
  const ask = async (page: string, client: keyof typeof clients): Promise<void> => {
    const count = asked.length;
    const caller = { token: { id: page }, gone: clients[client].signal } as never; // the rest nobody looks at
    handlers['rules.preview'](
      { params: {}, query: {}, body: { text: '[[routes]]\nto = ["desk"]\n', days: 1 } },
      caller,
    ).catch(() => undefined);
    await until(() => asked.length > count, 'the read');
  };
  const ended = (): readonly (boolean | undefined)[] => asked.map((over) => over?.aborted);
  await ask('page-1', 'first');
  await ask('page-2', 'other');
  expect(ended()).toEqual([false, false]);
  await ask('page-1', 'second');
  expect(ended()).toEqual([true, false, false]);
  clients.other.abort();
  expect(ended()).toEqual([true, true, false]);
  clients.first.abort(); // it has nothing of the newer one
  expect(ended()).toEqual([true, true, false]);
  clients.second.abort();
  expect(ended()).toEqual([true, true, true]);
});

test('a symlink stays one, and the file that it leads to is written', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dotfiles'));
  writeFileSync(join(folder, 'dotfiles', 'belfry.toml'), FILE, { mode: 0o644 });
  const link = join(folder, 'config.toml');
  symlinkSync(join('dotfiles', 'belfry.toml'), link);
  const { get, save } = await editing(link, undefined, null);
  await save('', (await get()).version);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'dotfiles', 'belfry.toml'), 'utf8')).not.toContain('routes');
  expect(statSync(link).mode & 0o777).toBe(0o644);
  expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['belfry.toml']);
});

test('there is no file yet: it is made, for its owner alone', async () => {
  const { file, text, get, save } = await editing(undefined, undefined, null);
  const { version, text: rules } = await get();
  expect(rules).toBe('');
  await save('[quiet]\nhours = ["22:00-07:00"]\n', version);
  expect(text()).toBe('[quiet]\nhours = ["22:00-07:00"]\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a byte order mark and line feeds of Windows stay; what is no UTF-8 is not touched', async () => {
  const windows = `\uFEFF${FILE}`.replaceAll('\n', '\r\n');
  const { text, get, save } = await editing(undefined, undefined, windows);
  const { version, text: rules } = await get();
  await save(rules?.replace('"desk"', '') ?? '', version);
  expect(text()).toBe(windows.replace('["desk"]', '[]'));
  const latin = Buffer.concat([Buffer.from('# caf'), Buffer.from([0xe9]), Buffer.from(`\n${FILE}`)]);
  const other = await editing(undefined, undefined, latin);
  expect(await refused(other.get())).toMatchObject({ status: 409, detail: expect.stringContaining('not UTF-8') });
  expect(await refused(other.save('', 'x'))).toMatchObject({ status: 409 });
  expect(readFileSync(other.file).equals(latin)).toBe(true);
});

test('what is written and cannot be taken over says so', async () => {
  let calls = 0;
  const { text, routed, get, save } = await editing(undefined, async () => {
    calls += 1;
    throw new Error('the keyring is locked');
  });
  const { problem } = await save('[[routes]]\nto = []\n', (await get()).version);
  expect(problem).toContain('the keyring is locked');
  expect(calls).toBeGreaterThan(0);
  expect(text()).toContain('to = []');
  expect(routed()).toEqual([['desk']]); // what was in force stays
});
