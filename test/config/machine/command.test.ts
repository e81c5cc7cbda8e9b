// What commands say of machine-wide settings: config show, check, get, set and unset, routes show, doctor, and the page's rules.
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkFile, checkMachineFile, report } from '../../../src/cli/commands/config/check.ts';
import { get } from '../../../src/cli/commands/config/get.ts';
import { set } from '../../../src/cli/commands/config/set.ts';
import { whyNotServed } from '../../../src/cli/commands/config/token.ts';
import { show } from '../../../src/cli/commands/config/show.ts';
import { unset } from '../../../src/cli/commands/config/unset.ts';
import { showRoutes } from '../../../src/cli/commands/routes/show.ts';
import { settingsCheck } from '../../../src/cli/doctor/settings.ts';
import type { Io } from '../../../src/cli/io.ts';
import { watchConfig } from '../../../src/config/live/config-watcher.ts';
import { loadInitial } from '../../../src/config/live/initial-load.ts';
import { readConfig } from '../../../src/config/load.ts';
import type { ConfigFiles } from '../../../src/config/machine/machine-config.ts';
import { rulesEditor } from '../../../src/daemon/http/rules-editor.ts';
import { ruleHandlers } from '../../../src/daemon/http/settings-and-status.ts';
import { pathsBelow } from '../../support/home.ts';
import { configFiles, writeMachine } from '../../support/machine-wide.ts';

const MACHINE = `[channels.team]
type = "slack"
url = "env:TEAM"
[[routes]]
match = { urgency = "urgent" }
to = ["team"]
first = true
also = true
[[routes]]
to = ["team"]
[redaction]
level = "short"
[locked]
keys = ["redaction.level", "http.listen"]
`;
const OWN = `[channels.desk]
type = "desktop"
[[routes]]
match = { kind = "test" }
to = ["desk"]
[retention]
days = 3
`;

/** Streams that keep what is said, without the folders of the files. */
function kept(files: Required<ConfigFiles>, json = false) {
  const [out, notes, data]: [string[], string[], unknown[]] = [[], [], []];
  const shown = (text: string): string =>
    text.replaceAll(files.machineConfig, 'MACHINE').replaceAll(files.config, 'OWN');
  const io: Io = {
    name: 'belfry config',
    json,
    tty: false,
    color: false,
    columns: 80,
    env: {},
    line: (text) => void out.push(shown(text)),
    note: (text) => void notes.push(shown(text)),
    data: (value) => void data.push(JSON.parse(shown(JSON.stringify(value)))),
    exit: 0,
  };
  return { io, out: () => out.join('\n'), notes: () => notes.join('\n'), data: () => data[0] };
}

test('config show says behind each value which file and line it is from, and what is locked', async () => {
  const files = configFiles(OWN, MACHINE);
  const said = kept(files);
  await show(said.io, files);
  const lines = said.out().split('\n');
  expect(lines.slice(0, 3)).toEqual([
    '# OWN',
    '# MACHINE: machine-wide. What has no comment is a default.',
    '# Your own file cannot change what is locked. Locks are advisory: the daemon runs as you.',
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      'level = "short" # MACHINE:12, locked',
      'days = 3 # line 7',
      'size = "200MB"',
      'listen = [] # default, locked',
      '[channels.team] # MACHINE:1',
      '[channels.desk] # line 1',
    ]),
  );
  expect(lines.filter((line) => line.startsWith('[[routes]]'))).toEqual([
    '[[routes]] # MACHINE:4',
    '[[routes]] # line 3',
    '[[routes]] # MACHINE:9',
  ]);
  expect(said.out()).not.toContain('machine = true');
  const json = kept(files, true);
  await show(json.io, files);
  expect(json.data()).toMatchObject({
    machine: { file: 'MACHINE', in_force: true, last_good: false },
    origins: {
      'redaction.level': { from: 'machine', line: 12, locked: true },
      'http.listen': { from: 'default', line: null, locked: true },
      'retention.days': { from: 'own', line: 7, locked: false },
      'channels.team': { from: 'machine', line: 1, locked: false },
      'routes[1]': { from: 'own', line: 3, locked: false },
    },
  });
});

test('config show says the same without machine-wide settings; without one’s own it says so', async () => {
  const alone = configFiles(OWN, null);
  const plain = kept(alone);
  await show(plain.io, alone);
  expect(plain.out()).toMatch(/^# OWN\n# What has no comment is a default\.\n/);
  expect(plain.out()).toContain('\ndays = 3 # line 7\nsize = "200MB"\n');
  expect(plain.out()).not.toContain('MACHINE');
  const none = configFiles(null, null);
  const defaults = kept(none);
  await show(defaults.io, none);
  expect(defaults.out()).toMatch(/^# OWN does not exist: these are the defaults\n\[context\]/);
  const files = configFiles(null, MACHINE);
  const said = kept(files);
  await show(said.io, files);
  expect(said.out()).toMatch(/^# OWN does not exist\n# MACHINE: machine-wide/);
  expect(said.out()).toContain('[[routes]] # MACHINE:9');
});

test('config check reports what is wrong with the machine’s file, and what of one’s own has no effect', async () => {
  const files = configFiles(`${OWN}[redaction]\nlevel = "full"\n`, MACHINE);
  const check = async () => {
    const said = kept(files);
    const { config, machineConfig, machineOwner } = files;
    const paths = { ...pathsBelow(join(config, '..')), machineConfig, machineOwner };
    report(said.io, await checkFile(paths, undefined, { TEAM: 'https://hooks.slack.com/services/a' }));
    return { exit: said.io.exit, notes: said.notes() };
  };
  expect(await check()).toMatchObject({
    exit: 0,
    notes: expect.stringContaining(
      'warning: OWN:9:1: redaction.level: has no effect: it is locked for this machine on line 14 of MACHINE',
    ),
  });
  writeMachine(files, '[redaction]\nlevel = "loud"\n');
  expect(await check()).toMatchObject({
    exit: 2,
    notes: expect.stringMatching(
      /^MACHINE:2:9: redaction\.level: invalid value "loud".*\nask whoever administers this machine .* nothing of it is in force$/m,
    ),
  });
});

test('config check does not call it the defaults where the machine has settings', async () => {
  const files = configFiles(null, MACHINE);
  const { config, machineConfig, machineOwner } = files;
  const paths = { ...pathsBelow(join(config, '..')), machineConfig, machineOwner };
  const said = kept(files);
  report(said.io, await checkFile(paths, undefined, {}));
  expect(said.out()).toBe('OWN does not exist: the settings of MACHINE are in force');
});

test('config check --machine checks the file of this machine, or a draft of it', async () => {
  const files = configFiles(null, MACHINE.replace('"http.listen"', '"http.lisen"'));
  const check = async (given?: string) => {
    const said = kept(files);
    report(said.io, await checkMachineFile(files, given));
    return { exit: said.io.exit, out: said.out(), notes: said.notes() };
  };
  expect(await check()).toEqual({
    exit: 0,
    out: 'MACHINE has no errors, but 1 warning (see above)',
    notes:
      'warning: MACHINE:14:28: locked.keys[1]: locks nothing: http.lisen is no setting; did you mean "http.listen"?',
  });
  const draft = join(files.state, 'draft.toml');
  writeFileSync(draft, '[locked]\nkeys = [\n');
  expect(await check(draft)).toMatchObject({ exit: 2, notes: expect.stringMatching(/draft\.toml:3:1: value missing/) });
  await expect(check(join(files.state, 'nope.toml'))).rejects.toMatchObject({ exit: 4 });
  chmodSync(files.machineConfig, 0o666);
  expect(await check()).toMatchObject({ exit: 2, notes: expect.stringContaining('can be written by others') });
  const none = kept(files);
  report(none.io, await checkMachineFile({ ...files, machineConfig: join(files.state, 'none.toml') }, undefined));
  expect([none.io.exit, none.out()]).toEqual([0, expect.stringMatching(/none\.toml does not exist: nothing is set/)]);
});

test('config check --machine looks at the files of secrets, and --strict fails for a warning', async () => {
  const files = configFiles(null, '');
  const secret = join(files.state, 'slack-url');
  const strictly = async (isStrict: boolean) => {
    writeMachine(files, MACHINE.replace('env:TEAM', `file:${secret}`));
    const said = kept(files);
    report(said.io, await checkMachineFile(files, undefined), isStrict);
    return { exit: said.io.exit, notes: said.notes() };
  };
  const missing = `warning: MACHINE:3:7: channels.team.url: will not work: cannot read ${secret} (ENOENT)`;
  expect(await strictly(false)).toEqual({ exit: 0, notes: missing });
  expect(await strictly(true)).toEqual({ exit: 2, notes: missing });
  writeFileSync(secret, 'https://hooks.example.com/services/x', { mode: 0o600 });
  expect(await strictly(true)).toMatchObject({ exit: 2, notes: expect.stringContaining('only its owner can read') });
  chmodSync(secret, 0o644);
  expect(await strictly(true)).toEqual({ exit: 0, notes: '' });
});

test('config set refuses what is locked, and says where; the rest it writes', async () => {
  const files = configFiles(OWN, MACHINE);
  const said = kept(files);
  for (const given of [
    ['redaction.level', 'full'],
    ['redaction.level', 'short'],
    ['retention.days', '4', 'http.listen', '["127.0.0.1:1"]'],
  ])
    await expect(set(said.io, files, given)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringMatching(
        /^\S+ was not changed: it is locked for this machine on line 14 of .*config\.toml$/,
      ),
    });
  expect(readFileSync(files.config, 'utf8')).toBe(OWN);
  await set(said.io, files, ['routes[0].to', '["desk", "team"]']);
  expect(readFileSync(files.config, 'utf8')).toContain('to = ["desk", "team"]');
});

test('config get says which file a value is from, and unset goes back to what the machine has', async () => {
  const own = OWN.replace('to = ["desk"]', 'to = ["desk"]\nwhen = "away"\ndelay = "5s"');
  const files = configFiles(
    `${own}[redaction]\nlevel = "full"\n[http]\nlisten = ["127.0.0.1:1"]\n`,
    `${MACHINE}[retention]\ndays = 9\nsize = "1MB"\n`,
  );
  const got = async (name: string) => {
    const said = kept(files, true);
    await get(said.io, files, name);
    const { value, from } = said.data() as { value: unknown; from: string };
    return [value, from];
  };
  expect(await got('retention.days')).toEqual([3, 'own']);
  expect(await got('retention.size')).toEqual(['1MB', 'machine']);
  expect(await got('redaction.level')).toEqual(['short', 'machine']);
  expect(await got('http.listen')).toEqual([[], 'default']);
  expect(await got('routes[0].to')).toEqual([['desk'], 'own']);
  expect(await got('channels.desk.type')).toEqual(['desktop', 'own']);
  expect(await got('daemon.autostart')).toEqual([true, 'default']);
  for (const section of ['retention', 'channels', 'routes']) expect((await got(section))[1]).toBe('mixed');
  for (const section of ['channels.desk', 'routes[0]']) expect((await got(section))[1]).toBe('own');
  expect((await got('answer'))[1]).toBe('default');
  const said = kept(files);
  for (const name of ['retention.days', 'routes[0].when', 'redaction.level', 'http.listen'])
    await unset(said.io, files, name);
  expect(said.out().split('\n')).toEqual([
    'retention.days = 9 (from MACHINE)',
    'routes[0].when = "always" (the default)',
    'redaction.level = "short" (from MACHINE)',
    'http.listen = [] (the default)',
  ]);
  // Tables that it left empty are gone with what was in them.
  const left = OWN.replace('to = ["desk"]', 'to = ["desk"]\ndelay = "5s"').replace('[retention]\ndays = 3\n', '');
  expect(readFileSync(files.config, 'utf8')).toBe(left);
});

test('routes[N] is one of one’s own file for get, set and unset; the machine’s where it has none, which set refuses', async () => {
  const files = configFiles(`${OWN}[[routes]]\nto = ["team"]\n`, MACHINE);
  const said = kept(files);
  await set(said.io, files, ['routes[1].delay', '5s']);
  for (const name of ['routes[0].to', 'routes[1].to', 'routes[1].delay']) await get(said.io, files, name);
  await unset(said.io, files, 'routes[1].when').catch((error: Error) => said.io.line(error.message));
  expect(said.out().split('\n')).toEqual([
    'routes[1].delay = "5s"',
    '["desk"]',
    '["team"]',
    '5s',
    'routes[1].when is not set in OWN; nothing was changed',
  ]);
  await expect(get(said.io, files, 'routes[2].to')).rejects.toMatchObject({
    exit: 4,
    message: expect.stringMatching(/^routes\[2\]\.to is not set, for .*config\.toml has fewer routes: /),
  });
  const none = configFiles('[channels.desk]\ntype = "desktop"\n', MACHINE);
  const theirs = kept(none);
  await get(theirs.io, none, 'routes[1].to');
  expect(theirs.out()).toBe('["team"]');
  await expect(set(theirs.io, none, ['routes[1].to', '["desk"]'])).rejects.toMatchObject({
    exit: 2,
    message: expect.stringMatching(
      /^routes\[1\]\.to was not changed: that route is one of .*config\.toml, for the whole/,
    ),
  });
  const locked = configFiles(OWN, MACHINE.replace('"http.listen"', '"routes"'));
  const inForce = kept(locked);
  await get(inForce.io, locked, 'routes[0].to');
  expect(inForce.out()).toBe('["team"]');
});

test('routes show marks those of the machine', async () => {
  const files = configFiles(OWN, MACHINE);
  const said = kept(files);
  await showRoutes(said.io, files);
  expect(said.out().match(/from MACHINE, for the whole machine/g)).toHaveLength(2);
  const json = kept(files, true);
  await showRoutes(json.io, files);
  expect(json.data()).toMatchObject({ routes: [{ machine: true }, { machine: false }, { machine: true }] });
});

test('doctor says what is locked and that the lock is advisory, or why the file is not used', async () => {
  const files = configFiles(`${OWN}[redaction]\nlevel = "full"\n`, MACHINE);
  const examine = async () => {
    const loaded = await readConfig(files);
    const context = {
      paths: { ...pathsBelow(join(files.config, '..')), config: files.config },
      config: loaded.ok ? loaded.config : null,
      diagnostics: loaded.ok ? loaded.warnings : loaded.diagnostics,
      machineConfig: loaded.machine,
      configured: loaded.text !== null,
    };
    const results = await settingsCheck.run(context as never); // it asks for no more of it
    return results.map(({ level, text }) =>
      `${level} ${text}`.replaceAll(files.machineConfig, 'MACHINE').replaceAll(files.config, 'OWN'),
    );
  };
  expect(await examine()).toEqual([
    'ok OWN has no errors',
    'warn OWN:9:1: redaction.level: has no effect: it is locked for this machine on line 14 of MACHINE',
    'ok machine-wide settings: MACHINE locks redaction.level, http.listen (advisory: the daemon runs as you)',
  ]);
  chmodSync(files.machineConfig, 0o646);
  expect(await examine()).toContainEqual(
    'fail MACHINE:1:1: is not used: MACHINE can be written by others than its owner; run `chmod go-w` on it',
  );
  chmodSync(files.machineConfig, 0o644);
  writeMachine(files, '[retention]\ndays = 9\n');
  expect(await examine()).toContainEqual('ok machine-wide settings: MACHINE, nothing locked');
  writeFileSync(files.config, '[retention]\ndays = "x"\n');
  expect(await examine()).toEqual([
    expect.stringContaining('fail OWN:2:8: retention.days'),
    'ok machine-wide settings: MACHINE, nothing locked',
  ]);
});

/** The page's rules over these files. */
async function page(own: string, machine: string) {
  const files = configFiles(own, machine);
  const liveConfig = watchConfig(await loadInitial(files, true, 1), { files, log: () => undefined, now: () => 1 });
  liveConfig.follow({
    prepare: async () => undefined,
    onChange: async () => undefined,
    onInvalid: async () => undefined,
  });
  onTestFinished(() => liveConfig.close());
  const context = { file: files.config, liveConfig };
  const reader = { read: () => Promise.reject(new Error('nothing is read here')) };
  const editor = rulesEditor(context, reader);
  const caller = { token: null, local: true, place: { serving: '', address: '' } } as never; // nobody looks at it
  const empty = { params: {}, query: {}, body: {} };
  return {
    files,
    liveConfig,
    text: () => editor['rules.text'](empty, caller) as Promise<{ text: string; version: string; channels: object[] }>,
    save: async (text: string, version: string) =>
      editor['rules.save']({ params: {}, query: {}, body: { text, version } }, caller) as Promise<{
        warnings: readonly { readonly line: number | null; readonly message: string }[];
      }>,
    inForce: () =>
      ruleHandlers(context as never)['rules.get'](empty, caller) as Promise<{
        routes: { machine: boolean }[];
        machine_file: string | null;
        errors: { message: string }[];
      }>,
  };
}

test('the page shows the machine’s routes as such, and changes only those of one’s own file', async () => {
  const { files, text, save, inForce, liveConfig } = await page(OWN, MACHINE);
  const before = await inForce();
  expect(before.routes.map(({ machine }) => machine)).toEqual([true, false, true]);
  expect([before.machine_file, before.errors]).toEqual([files.machineConfig, []]);
  const rules = await text();
  expect(rules.text).toBe('[[routes]]\nmatch = { kind = "test" }\nto = ["desk"]\n');
  expect(rules.channels).toMatchObject([{ name: 'team' }, { name: 'desk' }]);
  await save('[[routes]]\nto = ["desk", "team"]\n', rules.version);
  expect(readFileSync(files.config, 'utf8')).toContain('to = ["desk", "team"]');
  expect(readFileSync(files.machineConfig, 'utf8')).toBe(MACHINE);
  expect(liveConfig.config().routes.map(({ to }) => to.join('+'))).toEqual(['team', 'desk+team', 'team']);
});

test('a line of the rules is that of the text, whatever the machine has before; what is locked is said', async () => {
  const { text, save } = await page(
    OWN,
    `${MACHINE.replace('"http.listen"', '"quiet"')}[quiet]\nhours = ["22:00-23:00"]\n`,
  );
  const { version } = await text();
  await expect(save('[[routes]]\nto = [\n  "nobody",\n]\n', version)).rejects.toThrow(
    /line 3: .*no \[channels\.nobody\]/,
  );
  const { warnings } = await save('[quiet]\nhours = ["01:00-02:00"]\n\n[[routes]]\nto = ["desk"]\n', version);
  expect(warnings).toContainEqual({
    line: 1,
    column: 2,
    message: expect.stringMatching(/^quiet: has no effect: it is locked for this machine on line 14/),
  });
});

test('from the page no route begins to run a program of the machine', async () => {
  const { text, save } = await page(OWN, '[channels.log]\ntype = "command"\nrun = ["true"]\n');
  const { version } = await text();
  await expect(save('[[routes]]\nto = ["log"]\n', version)).rejects.toThrow(/log runs a program/);
});

test('a machine’s file that breaks is an error on the page, named with its file', async () => {
  const { files, liveConfig, inForce } = await page(OWN, MACHINE);
  appendFileSync(files.machineConfig, '[retention]\ndays = "x"\n');
  await liveConfig.reload();
  const { errors, routes } = await inForce();
  expect(errors).toMatchObject([
    { line: 16, column: 8, message: `${files.machineConfig}: retention.days: must be a number`, excerpt: null },
  ]);
  expect(routes).toHaveLength(3);
});

test('token add offers no setting that is locked', async () => {
  const open = configFiles('[http]\nlisten = ["127.0.0.1:1"]\n', null);
  expect(await whyNotServed(open)).toBeNull();
  expect(await whyNotServed(configFiles(null, null))).toMatch(
    /^Nothing is served yet: `belfry config set http\.listen/,
  );
  const locked = configFiles(null, MACHINE);
  expect(await whyNotServed(locked)).toBe(
    `Nothing is served, and http.listen cannot be set: it is locked for this machine on line 14 of ${locked.machineConfig}.`,
  );
});
