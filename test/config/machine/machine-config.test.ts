// The machine-wide file: where it is, whose is used, what is wrong with it, and what stays in force then.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { keepLastGood } from '../../../src/config/live/last-good.ts';
import { checkMachineConfig, machineFileOf, readMachineConfig } from '../../../src/config/machine/machine-config.ts';
import { registries } from '../../../src/config/registries.ts';
import { machineConfigPath, readMachineFile } from '../../../src/runtime/machine-file.ts';
import { configFiles, writeMachine } from '../../support/machine-wide.ts';

const SHORT = '[redaction]\nlevel = "short"\n';
const isRoot = process.getuid?.() === 0;

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, '/etc/belfry/config.toml'],
  ['linux', { BELFRY_HOME: '/elsewhere', XDG_CONFIG_HOME: '/x', ProgramData: 'D:\\x' }, '/etc/belfry/config.toml'],
  ['freebsd', {}, '/etc/belfry/config.toml'],
  ['darwin', { BELFRY_HOME: '/elsewhere' }, '/Library/Application Support/belfry/config.toml'],
  ['win32', { ProgramData: 'D:\\Shared' }, 'D:\\Shared\\belfry\\config.toml'],
  ['win32', { ProgramData: 'D:\\Shared\\' }, 'D:\\Shared\\belfry\\config.toml'],
  ['win32', { ProgramData: 'relative' }, 'C:\\ProgramData\\belfry\\config.toml'],
  ['win32', {}, 'C:\\ProgramData\\belfry\\config.toml'],
])('on %s with %j it is %s', (platform, env, expected) => {
  expect(machineConfigPath({ platform, env })).toBe(expected);
});

test('without another one it is that of this system', () => {
  const { platform, env } = process;
  expect(machineFileOf({ config: 'x', state: 'y' })).toBe(machineConfigPath({ platform, env }));
});

test('none there, and one that is read', async () => {
  const files = configFiles(null, null);
  expect(await readMachineConfig(files, registries)).toEqual({
    file: files.machineConfig,
    config: null,
    isLastGood: false,
    faults: [],
  });
  writeMachine(files, `\uFEFF${SHORT}`);
  const read = await readMachineConfig(files, registries);
  expect(read.config).toMatchObject({ text: SHORT, input: { redaction: { level: 'short' } }, locks: [], first: [] });
});

test('a link of an administrator is followed', () => {
  const files = configFiles(null, SHORT);
  const real = join(dirname(files.machineConfig), 'real.toml');
  renameSync(files.machineConfig, real);
  symlinkSync(real, files.machineConfig);
  expect(readMachineFile(files.machineConfig, files.machineOwner)).toEqual({ text: SHORT });
});

test.each<[what: string, change: (file: string) => void, says: RegExp]>([
  ['a file that others can write', (file) => chmodSync(file, 0o666), /config\.toml can be written by others/],
  ['a file that its group can write', (file) => chmodSync(file, 0o664), /config\.toml can be written by others/],
  ['a folder that others can write', (file) => chmodSync(dirname(file), 0o777), /belfry can be written by others/],
  [
    'a folder further up that others can write',
    (file) => chmodSync(dirname(dirname(file)), 0o775),
    /etc can be written by others/,
  ],
  [
    'a link into a folder that others can write',
    (file) => {
      const open = join(dirname(dirname(file)), 'open');
      mkdirSync(open);
      chmodSync(open, 0o777);
      renameSync(file, join(open, 'x.toml'));
      symlinkSync(join(open, 'x.toml'), file);
    },
    /open can be written by others/,
  ],
  [
    'a folder in its place',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
    /is no file/,
  ],
  [
    'a pipe in its place',
    (file) => {
      rmSync(file);
      spawnSync('mkfifo', [file]);
    },
    /is no file/,
  ],
  ['a file that is too large', (file) => writeFileSync(file, '#'.repeat(1024 * 1024 + 1)), /is larger than 1048576/],
])('%s is not used', (_what, change, says) => {
  const files = configFiles(null, SHORT);
  change(files.machineConfig);
  expect(readMachineFile(files.machineConfig, files.machineOwner)).toEqual({ fault: expect.stringMatching(says) });
});

test('a file of somebody else is not used, nor one that cannot be read', async () => {
  const files = configFiles(null, SHORT);
  if (!isRoot) {
    // This user is not root, who alone is trusted by default.
    expect(readMachineFile(files.machineConfig)).toEqual({ fault: expect.stringContaining(', not to root') });
    chmodSync(files.machineConfig, 0);
    const unreadable = readMachineFile(files.machineConfig, files.machineOwner);
    expect(unreadable).toEqual({ fault: 'cannot be read (EACCES)' });
    return;
  }
  chownSync(files.machineConfig, 1234, 1234);
  const fault = `is not used: ${files.machineConfig} belongs to user 1234, not to root; run \`chown root\` on it`;
  expect(readMachineFile(files.machineConfig)).toEqual({ fault });
  const { faults, config } = await readMachineConfig(files, registries);
  expect([faults, config]).toEqual([
    [{ line: 1, column: 1, key: '', message: fault, file: files.machineConfig }],
    null,
  ]);
  chownSync(files.machineConfig, 0, 0);
  chownSync(dirname(files.machineConfig), 1234, 1234);
  expect(readMachineFile(files.machineConfig)).toEqual({ fault: expect.stringContaining('belongs to user 1234') });
});

test('an empty file is read twice: whoever writes in place empties it first', async () => {
  const files = configFiles(null, '');
  const reading = readMachineConfig(files, registries);
  writeMachine(files, SHORT);
  expect((await reading).config?.text).toBe(SHORT);
});

test.each<[what: string, text: string, line: number, says: string]>([
  ['no TOML', '[redaction]\nlevel = \n', 2, ''],
  ['a wrong value', '[redaction]\nlevel = "loud"\n', 2, 'redaction.level'],
  ['a channel that is not here', '[[routes]]\nto = ["phone"]\n', 2, 'no [channels.phone]'],
  ['locks that are no list', '[locked]\nkeys = "redaction.level"\n', 2, 'must be a list'],
  ['something else in [locked]', '[locked]\nkey = []\n', 2, 'no such setting'],
])('%s: the last good one is in force, and the error has its line', async (_what, text, line, says) => {
  const files = configFiles(null, text);
  const without = await readMachineConfig(files, registries);
  expect(without).toMatchObject({ config: null, isLastGood: false, faults: [{ file: files.machineConfig, line }] });
  expect(`${without.faults[0]?.key} ${without.faults[0]?.message}`).toContain(says);
  await keepLastGood(files.state, null, `${SHORT}[locked]\nkeys = ["redaction.level"]\n`);
  const kept = await readMachineConfig(files, registries);
  expect(kept).toMatchObject({ isLastGood: true, config: { locks: [{ key: 'redaction.level', line: 4 }] } });
  expect(kept.faults).toEqual(without.faults);
  rmSync(files.machineConfig);
  expect(await readMachineConfig(files, registries)).toMatchObject({ config: null, faults: [] });
  expect(readFileSync(join(files.state, 'machine.last-good.toml'), 'utf8')).toContain('short');
});

/** Warnings of one, each as `LINE: MESSAGE`. */
async function warnings(text: string): Promise<readonly string[]> {
  const checked = await checkMachineConfig(text, 'm.toml', registries);
  return checked.ok ? checked.warnings.map(({ line, message }) => `${line}: ${message}`) : ['invalid'];
}

const AUDIT = '[channels.audit]\ntype = "webhook"\nurl = "https://example.com/audit"\n';
const UNHEARD = expect.stringMatching(/^\d+: whoever has no routes of their own hears of no prompt/);

test.each<[what: string, routes: string, says: readonly unknown[]]>([
  ['for records, before those of persons', '[[routes]]\nto = ["audit"]\nfirst = true\nalso = true\n', []],
  ['none', '', []],
  ['for records', '[[routes]]\nto = ["audit"]\n', [UNHEARD]],
  [
    'for people, urgent alone',
    '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = ["audit"]\nalso = true\n[[routes]]\nmatch = { urgency = "urgent" }\nto = ["desk"]\n',
    [UNHEARD],
  ],
  ['for people', '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = ["audit", "desk"]\n', []],
  [
    'for people, later',
    '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = ["audit"]\nescalate = [{ after = "1m", to = ["desk"] }]\n',
    [],
  ],
])('routes of the machine that take the place of the built-in ones: %s', async (_what, routes, says) => {
  expect(await warnings(AUDIT + routes)).toEqual(says);
});

test.each<[key: string, says: string]>([
  ['redaction.levl', 'is no setting; did you mean "redaction.level"?'],
  ['redacton.level', 'is no setting; did you mean "redaction"?'],
  ['retention.days.hours', 'is no setting'],
  ['channels', 'lock channels one by one, as "channels.NAME"'],
  ['channels.team.url', 'lock the whole channel, as "channels.team"'],
  ['channels.teem', 'is no channel of this file; did you mean "team"?'],
  ['routes[0]', 'lock the whole list'],
  ['', 'is not the name of a setting'],
  ['a b', 'is not the name of a setting'],
  ['daemon.autostart', 'each user’s own file'],
])('the locked key %j locks nothing, the others stay', async (key, says) => {
  const text = `[channels.team]\ntype = "slack"\nurl = "env:T"\n[locked]\nkeys = [\n  "http.listen",\n  ${JSON.stringify(key)},\n]\n`;
  const checked = await checkMachineConfig(text, 'm.toml', registries);
  if (!checked.ok) throw new Error(checked.diagnostics[0]?.message);
  expect(checked.config.locks).toEqual([{ path: ['http', 'listen'], key: 'http.listen', line: 6 }]);
  expect(checked.warnings).toMatchObject([{ line: 7, message: expect.stringContaining(says) }]);
});

test.each([
  'redaction',
  'quiet',
  'routes',
  'channels.team',
  'agents.claude.stalled_after',
  'watches.usage.at',
  'messages.title',
  'network.proxy',
])('the key %s can be locked', async (key) => {
  const text = `[channels.team]\ntype = "slack"\nurl = "env:T"\n[locked]\nkeys = ["${key}"]\n`;
  expect(await warnings(text)).toEqual([]);
});

test('what may not have been meant: relative paths, a secret for all to read, what hooks do not see', async () => {
  expect(await warnings('[api]\nkey = "file:keys/api"\n')).toEqual([
    expect.stringMatching(/^2: is a relative path, .*whole path/),
  ]);
  expect(await warnings('[api]\nkey = "file:/etc/belfry/key"\n[network]\nproxy = "file:~/proxy"\n')).toEqual([]);
  expect(await warnings('[api]\nkey = "abc"\n')).toEqual([expect.stringContaining('is a secret in plain text')]);
  expect(await warnings('[daemon]\nautostart = false\n')).toEqual([expect.stringContaining('2: has no effect here')]);
  // Whoever reads it may route to it.
  expect(await warnings('[channels.team]\ntype = "slack"\nurl = "env:T"\n')).toEqual([]);
});
