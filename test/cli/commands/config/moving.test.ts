// `belfry config export` and `import`: settings and secrets to another machine and back, sealed, and nothing lost that was there.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/home.ts';
import { homeWithClient } from '../../../support/inside-client.ts';
import { belfry, startDaemon } from '../../../support/programs.ts';

const WORDS = 'correct horse battery';
const TEXT = `# mine
[channels.phone]
type = "ntfy"
topic = "secret:phone_topic" # hush
[[routes]]
to = ["phone"]
`;

function homeWith(text: string | null, secrets: Readonly<Record<string, string>> = {}): string {
  const home = temporaryFolder();
  if (text !== null) writeFileSync(join(home, 'config.toml'), text, { mode: 0o600 });
  mkdirSync(join(home, 'secrets'), { mode: 0o700 });
  for (const [name, value] of Object.entries(secrets))
    writeFileSync(join(home, 'secrets', name), `${value}\n`, { mode: 0o600 });
  return home;
}
const old = () => homeWith(TEXT, { phone_topic: 'belfry-topic-1' });
const config = (home: string): string => readFileSync(join(home, 'config.toml'), 'utf8');
const secret = (home: string, name = 'phone_topic'): string => readFileSync(join(home, 'secrets', name), 'utf8');

/** Exported from there: the file. */
async function exported(home: string, ...more: readonly string[]): Promise<string> {
  const file = join(temporaryFolder(), 'settings.json');
  const ran = await belfry(home, ['config', 'export', file, ...more], { input: `${WORDS}\n` });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`Wrote config.toml and 1 secret to ${file}.`) });
  return file;
}
const taken = (home: string, file: string, input = `${WORDS}\n`, ...more: readonly string[]) =>
  belfry(home, ['config', 'import', file, ...more], { input });

test('to an empty machine: the same text and secrets, private, and the file shows none of them', async () => {
  const file = await exported(old());
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  for (const hidden of ['belfry-topic-1', 'ntfy', 'hush']) expect(text).not.toContain(hidden);
  const home = temporaryFolder();
  const ran = await taken(home, file);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/^Taken over from \S+, as of \d{4}-\d\d-\d\d: config\.toml, the secret phone_topic\.\n/);
  expect([config(home), secret(home)]).toEqual([TEXT, 'belfry-topic-1\n']);
  expect(statSync(join(home, 'secrets', 'phone_topic')).mode & 0o777).toBe(0o600);
  const again = await taken(home, file);
  expect([again.code, again.stdout.includes('What was here')]).toEqual([0, false]);
});

test('where nobody is asked and nothing is sent, it says how a passphrase is given', async () => {
  const file = join(temporaryFolder(), 'settings.json');
  const ran = await belfry(old(), ['config', 'export', file], { input: '' });
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining('send one to standard input; nothing was written'),
  ]);
  expect(existsSync(file)).toBe(false);
});

test('variables of a service come with it, also to a folder that is not there yet', async () => {
  const from = homeWith(TEXT);
  writeFileSync(join(from, 'service.env'), 'TOKEN=hush\n', { mode: 0o600 });
  const file = join(temporaryFolder(), 'settings.json');
  expect((await belfry(from, ['config', 'export', file], { input: WORDS })).code).toBe(0);
  const home = join(temporaryFolder(), 'new');
  expect((await taken(home, file)).code).toBe(0);
  expect(readFileSync(join(home, 'service.env'), 'utf8')).toBe('TOKEN=hush\n');
  expect(statSync(join(home, 'service.env')).mode & 0o777).toBe(0o600);
});

test('what is here is replaced only by force, kept, and brought back', async () => {
  const file = await exported(old());
  const home = homeWith('[retention]\ndays = 7\n', { phone_topic: 'other', own: 'mine' });
  const refused = await taken(home, file);
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain('config.toml, the secret phone_topic would be replaced: give --force');
  expect([config(home), secret(home)]).toEqual(['[retention]\ndays = 7\n', 'other\n']);
  const { code, stdout } = await taken(home, file, `${WORDS}\n`, '--force', '--json');
  const { kept, secrets, check } = JSON.parse(stdout) as { kept: string; secrets: string[]; check: { ok: boolean } };
  expect([code, secrets, check.ok]).toEqual([0, ['phone_topic'], true]);
  expect([config(home), secret(home), secret(home, 'own')]).toEqual([TEXT, 'belfry-topic-1\n', 'mine\n']);
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  expect((await taken(home, kept, '', '--force')).code).toBe(0);
  expect([config(home), secret(home), secret(home, 'own')]).toEqual(['[retention]\ndays = 7\n', 'other\n', 'mine\n']);
});

test('uninstall says where what was replaced is kept, and --purge deletes it', async () => {
  const file = await exported(old());
  const home = homeWith('[retention]\ndays = 7\n', { phone_topic: 'other' });
  const { stdout } = await taken(home, file, `${WORDS}\n`, '--force', '--json');
  const { kept } = JSON.parse(stdout) as { kept: string };
  expect((await belfry(home, ['uninstall'])).stdout).toContain(`, what \`config import\` replaced in ${kept}`);
  rmSync(join(home, 'config.toml'));
  expect((await belfry(home, ['uninstall'])).stdout).toContain(`what \`config import\` replaced in ${kept}`);
  expect((await belfry(home, ['uninstall', '--purge', '--yes'])).code).toBe(0);
  expect(existsSync(kept)).toBe(false);
});

test('a running daemon has the channels at once', async () => {
  const file = await exported(old());
  const home = temporaryFolder();
  await startDaemon(home);
  expect((await taken(home, file)).code).toBe(0);
  const { stdout } = await belfry(home, ['channel', 'list', '--json']);
  expect(stdout).toContain('"phone"');
});

test('agents with hooks are named with the command that adds them', async () => {
  const home = old();
  const run = homeWithClient(home, 'claude', '2.1.330');
  expect((await run('install', 'claude', '--answer')).code).toBe(0);
  const file = join(temporaryFolder(), 'settings.json');
  expect((await run('config', 'export', file, '--plain')).stderr).toContain('is not sealed');
  const { stdout } = await taken(temporaryFolder(), file, '');
  expect(stdout).toContain('To add them here:\n  belfry install claude --answer\n');
});

test('settings that do not hold here are taken over, and what is wrong is said', async () => {
  const file = await exported(homeWith(`${TEXT}[nothing]\n`, { phone_topic: 'belfry-topic-1' }));
  const { code, stderr } = await taken(temporaryFolder(), file);
  expect([code, stderr.includes('nothing')]).toEqual([2, true]);
});

const damaged = (change: (parsed: Record<string, unknown>) => unknown) => (text: string) =>
  JSON.stringify(change(JSON.parse(text) as Record<string, unknown>));
test.each<[name: string, change: (text: string) => string, words: string, code: number, says: string]>([
  ['another passphrase', (text) => text, 'wrong horse battery', 3, 'the passphrase is wrong'],
  ['a changed file', (text) => text.replace(/"data": "..../, '"data": "AAAA'), WORDS, 3, 'or the file was changed'],
  ['half a file', (text) => text.slice(0, 100), WORDS, 2, 'is no file that `belfry config export` wrote'],
  ['a newer version', damaged((all) => ({ ...all, belfry_settings: 2 })), WORDS, 2, 'upgrade this one first'],
  ['nothing in it', damaged(({ sealed: _sealed, ...all }) => all), WORDS, 2, 'is damaged'],
])('refused: %s', async (_name, change, words, code, says) => {
  const file = await exported(old());
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  const home = temporaryFolder();
  const ran = await taken(home, file, `${words}\n`);
  expect([ran.code, existsSync(join(home, 'config.toml')), existsSync(join(home, 'secrets'))]).toEqual([
    code,
    false,
    false,
  ]);
  expect(ran.stderr).toContain(says);
});

test.each<[name: string, args: (file: string) => string[], input: string, code: number, says: string]>([
  ['a short passphrase', (file) => ['config', 'export', file], 'short\n', 2, 'needs at least 8 characters'],
  ['a file that is there', () => ['config', 'export', import.meta.filename], WORDS, 5, 'exists already'],
  ['no such folder', (file) => ['config', 'export', join(file, 'x')], WORDS, 1, 'cannot write'],
  ['no such file', (file) => ['config', 'import', file], WORDS, 4, 'does not exist'],
])('refused: %s', async (_name, args, input, code, says) => {
  const file = join(temporaryFolder(), 'settings.json');
  const ran = await belfry(old(), args(file), { input });
  expect([ran.code, ran.stdout, existsSync(file)]).toEqual([code, '', false]);
  expect(ran.stderr).toContain(says);
});

test('variables of a service that cannot be read are not left out in silence', async () => {
  const home = old();
  mkdirSync(join(home, 'service.env'));
  const file = join(temporaryFolder(), 'settings.json');
  const ran = await belfry(home, ['config', 'export', file, '--plain']);
  expect([ran.code, existsSync(file)]).toEqual([1, false]);
  expect(ran.stderr).toContain('service.env (EISDIR)');
});

test('nothing to export, and a secret that cannot be read: nothing is written', async () => {
  const file = join(temporaryFolder(), 'settings.json');
  const run = (home: string) => belfry(home, ['config', 'export', file, '--plain']);
  expect(await run(temporaryFolder())).toMatchObject({ code: 4, stderr: expect.stringContaining('nothing to export') });
  const home = old();
  writeFileSync(join(home, 'secrets', 'empty'), '');
  chmodSync(join(home, 'secrets', 'empty'), 0o600);
  expect(await run(home)).toMatchObject({ code: 1, stderr: expect.stringContaining('is empty') });
  expect(existsSync(file)).toBe(false);
});
