// A channel that the machine-wide file has no more, or whatever else of one's own file a change of it makes invalid: the locks count, and the rest goes on.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchConfig } from '../../../src/config/live/config-watcher.ts';
import { loadInitial } from '../../../src/config/live/initial-load.ts';
import { registries } from '../../../src/config/registries.ts';
import { loadKept } from '../../../src/config/load.ts';
import { checkMachineConfig } from '../../../src/config/machine/machine-config.ts';
import type { Config } from '../../../src/model/settings/config.ts';
import { configFiles, writeMachine } from '../../support/machine-wide.ts';
import { until } from '../../support/wait.ts';

const channel = (name: string): string => `[channels.${name}]\ntype = "webhook"\nurl = "https://example.com/${name}"\n`;
const LOCKS =
  '[answer]\nkinds = []\n[redaction]\nlevel = "title"\n[locked]\nkeys = ["answer.kinds", "redaction.level"]\n';
const BEFORE = channel('team');
const RENAMED = channel('chat') + LOCKS;
const OWN = `${channel('hook')}[[routes]]\nto = ["hook", "team"]\n`;

const inForce = ({ channels, routes, answer, redaction }: Config) => ({
  channels: channels.map(({ name }) => name).sort(),
  routes: routes.map(({ to, also }) => to.join('+') + (also ? ' also' : '')),
  locks: [answer.kinds.length, redaction.level],
});

async function follow(own: string, machine: string | null) {
  const files = configFiles(own, machine);
  const said: string[] = [];
  const live = watchConfig(await loadInitial(files, false, 1), { files, log: () => undefined, now: () => 2 });
  live.follow({
    prepare: async () => undefined,
    onChange: async () => undefined,
    onInvalid: async ({ line }) =>
      void said.push(line.replace(files.config, 'OWN').replace(files.machineConfig, 'ALL')),
  });
  onTestFinished(live.close);
  await live.reload();
  return { files, live, said };
}

const GONE = 'no [channels.team] in this file or in ALL; known: chat, hook';

test('renamed: the new locks count at once, the old channel is out, one’s own stay, and it is said', async () => {
  const { files, live, said } = await follow(OWN, BEFORE);
  expect(inForce(live.config())).toMatchObject({ routes: ['hook+team'], locks: [3, 'full'] });
  writeMachine(files, RENAMED);
  await until(() => live.config().redaction.level === 'title', 'the lock to be in force');
  await live.reload();
  expect(inForce(live.config())).toEqual({ channels: ['chat', 'hook'], routes: ['hook'], locks: [0, 'title'] });
  expect(said).toEqual([`OWN:5:15: routes[0].to[1]: ${GONE}`]);
  expect(live.leftOut().map((one) => one.replace(files.machineConfig, 'ALL'))).toEqual([`routes[0].to[1]: ${GONE}`]);
  expect([live.invalid()?.isMachine, live.origin()]).toEqual([false, 'last good']);
  writeMachine(files, RENAMED + BEFORE);
  await until(() => live.invalid() === null, 'the channel to be there again');
  expect([inForce(live.config()).routes, live.leftOut()]).toEqual([['hook+team'], []]);
  expect(live.origin()).toBe('file');
});

test('over a restart, by whomever, the same is in force, until the file is corrected', async () => {
  const { files, live } = await follow(OWN, BEFORE);
  await live.close();
  writeMachine(files, RENAMED);
  for (const auto of [true, false]) {
    const first = await loadInitial(files, auto, 1);
    expect(first).toMatchObject({ origin: 'last good', text: OWN, invalid: { isMachine: false } });
    expect(first.leftOut).toEqual([expect.stringContaining('routes[0].to[1]: no [channels.team]')]);
    expect(inForce(first.config)).toEqual({ channels: ['chat', 'hook'], routes: ['hook'], locks: [0, 'title'] });
  }
  // An error of the person's own making is refused as ever, and what was valid last stays in force.
  writeFileSync(files.config, `${OWN}[retention]\ndays = "x"\n`);
  await expect(loadInitial(files, false, 1)).rejects.toMatchObject({ exit: 2 });
  expect(inForce((await loadInitial(files, true, 1)).config)).toMatchObject({ routes: ['hook'], locks: [0, 'title'] });
  writeFileSync(files.config, OWN.replace('"team"', '"chat"'));
  expect(await loadInitial(files, false, 1)).toMatchObject({ origin: 'file', invalid: null, leftOut: [] });
});

test('what an own text never had valid is refused at a start, whatever was kept', async () => {
  const bad = `${OWN}[retention]\ndays = "x"\n`;
  const files = configFiles(bad, RENAMED);
  writeFileSync(join(files.state, 'config.last-good.toml'), bad);
  await expect(loadInitial(files, false, 1)).rejects.toMatchObject({ exit: 2 });
});

test('the machine-wide file removed as a whole: its channel is out, one’s own stay', async () => {
  const { files, live } = await follow(OWN, BEFORE);
  rmSync(files.machineConfig);
  await until(() => live.invalid() !== null && live.machine().config === null, 'its removal to be noticed');
  expect(inForce(live.config())).toMatchObject({ channels: ['hook'], routes: ['hook'] });
  expect(readFileSync(join(files.state, 'config.last-good.toml'), 'utf8')).toBe(OWN);
});

test('a lock comes into force beside a file that somebody broke, and names a channel that is gone', async () => {
  const { files, live } = await follow(OWN, BEFORE);
  writeFileSync(files.config, 'to = [');
  await until(() => live.invalid() !== null, 'the broken file to be noticed');
  writeMachine(files, RENAMED);
  await until(() => live.config().redaction.level === 'title', 'the lock to be in force');
  expect(inForce(live.config())).toMatchObject({ channels: ['chat', 'hook'], routes: ['hook'] });
});

/** What of this file is in force over that of the machine. */
async function kept(own: string, machine: string) {
  const checked = await checkMachineConfig(machine, 'ALL', registries);
  if (!checked.ok) throw new Error(checked.diagnostics[0]?.message);
  const loaded = await loadKept(own, registries, checked.config);
  if (loaded === null) throw new Error('nothing is in force');
  return { ...inForce(loaded.config), config: loaded.config, leftOut: loaded.leftOut };
}

const EMPTIED =
  'routes[0]: has no channel left, so what it takes goes on to the next routes, and at last to your own channels and the built-in ones';

test('a route without a channel left takes nothing away: the next ones have it, at last the built-in ones', async () => {
  const own = '[[routes]]\nmatch = { urgency = "urgent" }\nto = ["team"]\n';
  const alone = await kept(own, RENAMED);
  expect(alone.routes).toEqual([' also', 'desktop']);
  expect(alone.config.routes[1]?.match).toEqual(alone.config.routes[0]?.match);
  expect(alone.leftOut).toEqual(['routes[0].to[0]: no [channels.team] in this file or in ALL; known: chat', EMPTIED]);
  const more = `${own}[[routes]]\nto = ["hook"]\n${channel('hook')}`;
  expect((await kept(more, `${RENAMED}[[routes]]\nto = ["chat"]\n`)).routes.slice(0, 3)).toEqual([
    ' also',
    'hook',
    'chat',
  ]);
  const others = await kept(`${channel('hook')}${own}`, RENAMED);
  expect(others.routes).toEqual([' also', 'hook+desktop']);
});

test('what such a route took, whatever it is, and nothing else goes to one’s own channels', async () => {
  const narrow = '[[routes]]\nmatch = { kind = ["subagent.finished"] }\nto = ["team"]\n';
  const { config } = await kept(
    `${channel('hook')}${narrow}[[routes]]\nmatch = { project = "x" }\nto = ["hook"]\n`,
    RENAMED,
  );
  expect(config.routes.map(({ match, to, also }) => [match, to, also])).toEqual([
    [{ kind: ['subagent.finished'] }, [], true],
    [{ project: ['x'] }, ['hook'], false],
    [{ kind: ['subagent.finished'] }, ['hook', 'desktop'], false],
  ]);
});

test('a step without a channel is left out; without another channel the first step that has one comes at once', async () => {
  const steps = 'escalate = [{ after = "1m", to = ["team"] }, { after = "5m", to = ["hook", "team"] }]\n';
  const routed = await kept(`${channel('hook')}[[routes]]\nto = ["hook"]\n${steps}`, RENAMED);
  expect(routed.config.routes[0]).toMatchObject({ to: ['hook'], escalate: [{ after: 300_000, to: ['hook'] }] });
  const first = await kept(`${channel('hook')}[[routes]]\nto = ["team"]\n${steps}`, RENAMED);
  expect(first.config.routes[0]).toMatchObject({ to: ['hook'], also: false, escalate: [] });
  expect(first.leftOut).toContain('routes[0]: has no channel left but that of a later step, which gets it at once');
});

test('quiet hours and buttons are without it too', async () => {
  const own = `${channel('hook')}[quiet]\nchannels = ["team", "hook"]\n[answer]\nchannels = ["team"]\n`;
  const { config } = await kept(own, RENAMED);
  expect([config.quiet.channels, config.answer.channels]).toEqual([['hook'], []]);
});

test('locked routes leave nothing of one’s own routes to be said', async () => {
  const own = `${channel('hook')}[quiet]\nchannels = ["team"]\n[[routes]]\nto = ["team"]\n`;
  const { routes, leftOut } = await kept(own, '[[routes]]\nto = []\n[locked]\nkeys = ["routes"]\n');
  expect([routes, leftOut]).toEqual([
    [''],
    ['quiet.channels[0]: no [channels.team] in this file or in ALL; known: hook'],
  ]);
});

test.each([
  ['two ways to one machine', '[remotes.far]\nrun = ["far"]\n', '[remotes.far]\nssh = "far"\n'],
  ['what is locked leaves too little', '[remotes.far]\nssh = "far"\n', '[locked]\nkeys = ["remotes.far.ssh"]\n'],
])('whatever of one’s own does not go with the machine’s is left out: %s', async (_what, own, machine) => {
  const text = `${channel('hook')}[[routes]]\nto = ["hook"]\n${own}[retention]\ndays = 3\n`;
  const { config, routes, leftOut } = await kept(text, `[redaction]\nlevel = "title"\n${machine}`);
  expect([config.redaction.level, config.retention.days, routes]).toEqual(['title', 3, ['hook']]);
  expect(leftOut).toEqual([expect.stringMatching(/^remotes\.far/)]);
});
