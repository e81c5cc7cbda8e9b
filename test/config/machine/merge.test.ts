// Own settings over those of the machine: which value counts, what is locked, and where each is from.
import { expect, test } from 'vitest';
import { formatDiagnostic } from '../../../src/config/diagnostic.ts';
import { readConfig } from '../../../src/config/load.ts';
import type { Config } from '../../../src/model/settings/config.ts';
import { configFiles } from '../../support/machine-wide.ts';

const TEAM = '[channels.team]\ntype = "slack"\nurl = "env:TEAM"\n';
const DESK = '[channels.desk]\ntype = "desktop"\n';

/** What is in force, and every warning without the folder of its file. */
async function merged(own: string | null, machine: string | null) {
  const files = configFiles(own, machine);
  const loaded = await readConfig(files);
  const shown = (text: string): string =>
    text.replaceAll(files.machineConfig, 'MACHINE').replaceAll(files.config, 'OWN');
  if (!loaded.ok)
    return { config: null, said: loaded.diagnostics.map((one) => shown(formatDiagnostic(files.config, one))) };
  return { config: loaded.config, said: loaded.warnings.map((one) => shown(formatDiagnostic(files.config, one))) };
}

const routes = (config: Config | null): readonly string[] | undefined =>
  config?.routes.map(({ to, machine }) => `${to.join('+')}${machine ? ' (machine)' : ''}`);

test('sections merge key by key, lists and single values whole, one’s own winning', async () => {
  const { config, said } = await merged(
    '[redaction]\npatterns = ["MINE"]\n[agents.claude]\nbackground_wait = "1m"\n[messages]\ntitle = { test = "mine" }\n',
    '[redaction]\nlevel = "short"\npatterns = ["THEIRS", "TOO"]\n[retention]\ndays = 7\n' +
      '[agents.claude]\nstalled_after = "5m"\nbackground_wait = "9m"\n' +
      '[messages]\ntitle = { test = "theirs", "agent.finished" = "done" }\n',
  );
  expect(said).toEqual([]);
  expect(config).toMatchObject({
    redaction: { level: 'short', patterns: ['MINE'] },
    retention: { days: 7 },
    agents: { claude: { stalled_after: 300_000, background_wait: 60_000 } },
    messages: { title: { test: 'mine', 'agent.finished': 'done' } },
  });
});

test('channels merge by name; one’s own replaces that of the machine whole', async () => {
  const { config } = await merged(
    `${DESK}[channels.team]\ntype = "webhook"\nurl = "https://example.com/mine"\n[[routes]]\nto = ["desk", "team", "audit"]\n`,
    `${TEAM}level = "title"\n[channels.audit]\ntype = "command"\nrun = ["audit"]\n[[routes]]\nto = ["team"]\n`,
  );
  const channels = Object.fromEntries((config?.channels ?? []).map((one) => [one.name, one]));
  expect(Object.keys(channels).sort()).toEqual(['audit', 'desk', 'team']);
  expect(channels['team']).toMatchObject({ type: 'webhook', level: null });
  expect(channels['team']?.settings).not.toHaveProperty('level');
  expect(channels['audit']).toMatchObject({ type: 'command', settings: { run: ['audit'] } });
});

const FIRST = '[[routes]]\nmatch = { urgency = "urgent" }\nto = ["team"]\nfirst = true\nalso = true\n';
const REST = '[[routes]]\nto = ["team"]\n';
const OWN_ROUTES = `${DESK}[[routes]]\nmatch = { kind = "test" }\nto = ["desk"]\n[[routes]]\nto = ["desk", "team"]\n`;

test.each<[what: string, own: string | null, machine: string | null, routes: readonly string[]]>([
  ['first, own, rest', OWN_ROUTES, TEAM + REST + FIRST, ['team (machine)', 'desk', 'desk+team', 'team (machine)']],
  ['no file of one’s own', null, TEAM + REST, ['team (machine)']],
  ['a file without routes', '[retention]\ndays = 1\n', TEAM + REST, ['team (machine)']],
  ['channels of one’s own, the machine’s routes', DESK, TEAM + REST, ['team (machine)']],
  ['first ones only add to the defaults', null, TEAM + FIRST, ['team (machine)', 'desktop', 'desktop', 'desktop']],
  ['channels alone leave the defaults', null, TEAM, ['desktop', 'desktop', 'desktop']],
  ['nothing anywhere', null, null, ['desktop', 'desktop', 'desktop']],
  ['no machine-wide file', OWN_ROUTES.replace(', "team"', ''), null, ['desk', 'desk']],
])('routes: %s', async (_what, own, machine, expected) => {
  const { config } = await merged(own, machine);
  expect(routes(config)).toEqual(expected);
});

test('a channel of the machine that is named as a built-in one takes its place', async () => {
  const { config } = await merged(null, '[channels.desktop]\ntype = "desktop"\nsound = false\n');
  expect(config?.channels).toMatchObject([{ name: 'desktop', settings: { sound: false } }]);
});

test('what is wrong in one’s own file is said with its own lines, whatever the machine has before', async () => {
  const machine = TEAM + FIRST + REST;
  expect((await merged(`\n\n[[routes]]\nto = ["nobody", "team"]\n`, machine)).said).toEqual([
    'OWN:4:7: routes[0].to[0]: no [channels.nobody] in this file or in MACHINE; known: team',
  ]);
  expect((await merged('[channels.team]\ntype = "slack"\n', machine)).said).toEqual([
    'OWN:1:11: channels.team.url: is missing',
  ]);
  expect((await merged('[locked]\nkeys = []\n', machine)).said[0]).toContain('OWN:1:2: locked: no such setting');
  expect((await merged('[[routes]]\nto = []\nfirst = true\n', machine)).said[0]).toContain('OWN:3:1: routes[0].first');
});

test('a locked key counts as the machine has it, and both places are said', async () => {
  const { config, said } = await merged(
    '[redaction]\nlevel = "full"\npatterns = ["X"]\n[http]\nlisten = ["127.0.0.1:7717"]\n',
    '[locked]\nkeys = [\n  "redaction.level",\n  "http",\n]\n[redaction]\nlevel = "title"\n',
  );
  expect(config).toMatchObject({ redaction: { level: 'title', patterns: ['X'] }, http: { listen: [] } });
  expect(said).toEqual([
    'OWN:2:1: redaction.level: has no effect: it is locked for this machine on line 3 of MACHINE',
    'OWN:4:2: http: has no effect: it is locked for this machine on line 4 of MACHINE',
  ]);
});

test('the same value as the locked one is no contradiction', async () => {
  const { said } = await merged(
    '[redaction]\nlevel = "short"\n',
    '[locked]\nkeys = ["redaction.level"]\n[redaction]\nlevel = "short"\n',
  );
  expect(said).toEqual([]);
});

test('a locked level bounds every channel of one’s own, and leaves what says less', async () => {
  const { config, said } = await merged(
    `${DESK}level = "full"\n[channels.phone]\ntype = "ntfy"\ntopic = "env:T"\nlevel = "title"\n[[routes]]\nto = ["desk", "phone"]\n`,
    '[locked]\nkeys = ["redaction.level"]\n[redaction]\nlevel = "short"\n',
  );
  expect(config?.channels.map(({ name, level }) => `${name} ${level}`)).toEqual(['desk null', 'phone title']);
  expect(said).toEqual([
    'OWN:3:1: channels.desk.level: has no effect: redaction.level is locked for this machine on line 2 of MACHINE',
  ]);
});

test('under a locked level no words of one’s own put in what it leaves out; those of the machine do', async () => {
  const own = `${DESK}messages = { title = { test = "{cwd}" } }\n[messages]\non_resolved = "keep"\nbody = { test = "{message}" }\n[[routes]]\nto = ["desk"]\n`;
  const machine = (level: string): string =>
    `[locked]\nkeys = ["redaction.level"]\n[redaction]\nlevel = "${level}"\n[messages]\ntitle = { test = "{project}" }\n`;
  const { config, said } = await merged(own, machine('title'));
  expect(config?.messages).toEqual({ title: { test: '{project}' }, body: {}, on_resolved: 'keep' });
  expect(config?.channels[0]?.messages).toEqual({ title: {}, body: {} });
  const why = 'has no effect: redaction.level is locked for this machine on line 2 of MACHINE';
  expect(said).toEqual([`OWN:3:14: channels.desk.messages.title: ${why}`, `OWN:6:1: messages.body: ${why}`]);
  const all = await merged(own, machine('full'));
  expect([all.config?.messages.body, all.said]).toEqual([{ test: '{message}' }, []]);
});

test('a locked channel is that of the machine, and locked routes are theirs alone', async () => {
  const machine = `${TEAM}${REST}[locked]\nkeys = ["channels.team", "routes"]\n`;
  const { config, said } = await merged(
    `[channels.team]\ntype = "webhook"\nurl = "https://example.com/mine"\n${DESK}[[routes]]\nto = ["desk"]\n`,
    machine,
  );
  expect(config?.channels.map(({ name, type }) => `${name} ${type}`).sort()).toEqual(['desk desktop', 'team slack']);
  expect(routes(config)).toEqual(['team (machine)']);
  expect(said).toContainEqual(expect.stringContaining('OWN:1:11: channels.team: has no effect'));
  expect(said).toContainEqual(expect.stringMatching(/^OWN:6:3: routes: has no effect: it is locked/));
});

test('warnings of the machine’s own file are not those of everybody', async () => {
  const { said } = await merged(
    OWN_ROUTES,
    `${TEAM.replace('env:TEAM', 'https://hooks.slack.com/services/T/B/x')}${REST}`,
  );
  expect(said).toEqual([]);
});
