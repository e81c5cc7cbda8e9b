// Commands that change one's own settings where the machine has some: setup, channel add and channel remove.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { channelOf } from '../../src/channels/index.ts';
import { configBefore } from '../../src/cli/commands/channel/config-before.ts';
import { type VerifiedChannel, writeChannel } from '../../src/cli/commands/channel/write-channel.ts';
import { reportChannel } from '../../src/cli/commands/channel/report.ts';
import { remove } from '../../src/cli/commands/channel/remove.ts';
import { configured, settingsBefore, writable, writeSettings } from '../../src/cli/commands/setup/settings.ts';
import { processIo } from '../../src/cli/io.ts';
import { pathsBelow } from '../support/home.ts';
import { configFiles } from '../support/machine-wide.ts';
import { dirname } from 'node:path';

const TEAM = '[channels.team]\ntype = "slack"\nurl = "env:TEAM"\n';
const ROUTES = '[[routes]]\nto = ["team"]\n';
const FIRST = '[[routes]]\nto = ["team"]\nfirst = true\nalso = true\n';

function home(own: string | null, machine: string) {
  const files = configFiles(own, machine);
  const { machineConfig, machineOwner } = files;
  const before = process.env['BELFRY_HOME'];
  process.env['BELFRY_HOME'] = dirname(files.config);
  onTestFinished(() => {
    if (before === undefined) delete process.env['BELFRY_HOME'];
    else process.env['BELFRY_HOME'] = before;
  });
  return { ...pathsBelow(dirname(files.config)), machineConfig, machineOwner };
}

/** The text of one's own file once a channel that runs a program is added. */
async function added(
  own: string | null,
  machine: string,
  flags: VerifiedChannel['flags'] = {} as never,
  said: string[] = [],
) {
  const paths = home(own, machine);
  const channel = channelOf('command');
  if (!channel) throw new Error('no such channel');
  const before = await configBefore(paths, 'log', 'command');
  const answers = { run: ['true'] };
  const io = { ...processIo(false), note: () => undefined, line: (text: string) => void said.push(text) };
  const verified = { channel, name: 'log', answers, before, flags, interactive: false, tested: null };
  reportChannel(io, paths, verified, await writeChannel(io, paths, verified));
  return readFileSync(paths.config, 'utf8');
}

const LOG = '[channels.log]\ntype = "command"\nrun = [ "true" ]\n';

test('a first channel of one’s own goes before the machine’s routes, which still get what they got', async () => {
  const text = await added(null, TEAM + ROUTES);
  expect(text).toContain('to = ["log"]\nalso = true\n');
  expect(text).not.toContain('[channels.team]');
  expect(text).not.toContain('[channels.desktop]');
});

test('beside channels alone, those of the machine are not written into one’s own file', async () => {
  const text = await added(null, TEAM + FIRST);
  expect(text).toContain('[channels.log]');
  expect(text).not.toContain('team');
  expect(text).not.toContain('also = true');
});

const OWN = `${LOG.replaceAll('log', 'desk')}[[routes]]\nmatch = { kind = "test" }\nto = ["desk"]\n[[routes]]\nto = ["desk"]\n`;

test('routes are chosen as they are numbered with those of the machine, and only one’s own', async () => {
  expect(await added(OWN, TEAM + FIRST + ROUTES)).toContain(
    'kind = "test" }\nto = ["desk"]\n[[routes]]\nto = ["desk", "log"]',
  );
  expect(await added(OWN, TEAM + FIRST + ROUTES, { route: ['2'] } as never)).toContain(
    'to = ["desk", "log"]\n[[routes]]\nto = ["desk"]',
  );
  for (const [route, exit] of [
    ['1', 4],
    ['4', 4],
    ['last', 2],
  ] as const)
    await expect(added(OWN, TEAM + FIRST + ROUTES, { route: [route] } as never)).rejects.toMatchObject({
      exit,
      message: expect.stringContaining('config.toml has routes 2 to 3'),
    });
});

test('one’s own routes may name a channel of the machine', async () => {
  expect(await added(`${OWN}[[routes]]\nto = ["team"]\n`, TEAM)).toContain('to = ["team", "log"]');
});

test('the route that it was added to is named as `routes show` numbers it', async () => {
  const said: string[] = [];
  await added(OWN, TEAM + FIRST, { route: ['2'] } as never, said);
  expect(said).toContainEqual('Added to route 2; `belfry routes show` lists them.');
});

test('a channel that is locked is refused in the words of `config set`, before anything is asked or sent', async () => {
  const paths = home(OWN, `${TEAM}[locked]\nkeys = ["channels.team"]\n`);
  for (const type of ['slack', 'command'])
    await expect(configBefore(paths, 'team', type)).rejects.toMatchObject({
      exit: 2,
      message: `channels.team was not changed: it is locked for this machine on line 5 of ${paths.machineConfig}`,
    });
  expect(readFileSync(paths.config, 'utf8')).toBe(OWN);
});

/** What is said when a channel is taken out, and the text that is left. */
async function removed(own: string, machine: string, name: string) {
  const paths = home(own, machine);
  const said: string[] = [];
  const line = (text: string): void => void said.push(text.replaceAll(paths.machineConfig, 'MACHINE'));
  await remove({ ...processIo(false), line }, paths, name, { force: true });
  return { said: said.slice(1), text: readFileSync(paths.config, 'utf8') };
}

test('a channel is taken out of one’s own routes, which keep those of the machine', async () => {
  const own = `${LOG}[[routes]]\nto = ["log", "team"]\n[[routes]]\nto = ["log"]\n`;
  expect(await removed(own, TEAM + FIRST, 'log')).toEqual({
    said: [
      'Its name was taken out of route 2 and route 3.',
      'Route 3 has no channel any more: what it takes is sent to nobody.',
    ],
    text: '[[routes]]\nto = ["team"]\n[[routes]]\nto = []\n',
  });
  expect(await removed(LOG, TEAM + ROUTES, 'log')).toEqual({
    said: ['config.toml has neither channels nor routes now: those of MACHINE apply.'],
    text: '',
  });
});

test('where routes are locked, those of one’s own have no number among those in force', async () => {
  const own = `${LOG}[[routes]]\nto = ["log"]\n`;
  const { said } = await removed(own, `${TEAM}[[routes]]\nto = []\n[locked]\nkeys = ["routes"]\n`, 'log');
  expect(said).toEqual(['Its name was taken out of routes[0].to.']);
});

test('behind a channel that is taken out comes the machine’s of the same name, which cannot be', async () => {
  const own = `${LOG.replaceAll('log', 'team')}${ROUTES}`;
  expect(await removed(own, TEAM, 'team')).toEqual({ said: ['team is now the channel of MACHINE.'], text: ROUTES });
  await expect(removed(ROUTES, TEAM, 'team')).rejects.toMatchObject({
    exit: 4,
    message: expect.stringContaining('and not in config.toml: take it out of your routes instead'),
  });
});

test('setup writes no channels where the machine’s routes are in force; first ones only add to the built-in ones', async () => {
  const paths = home(null, TEAM + ROUTES);
  const before = await settingsBefore(paths);
  expect(before).toMatchObject({ text: null, defined: true, names: ['team'] });
  expect(configured(before).offered.map(({ type }) => type)).not.toContain('slack');
  expect(await writeSettings(paths, before, [])).toEqual({ config: 'kept', secrets: [] });
  expect(await settingsBefore(home(null, TEAM + FIRST))).toMatchObject({ defined: false });
  const own = home(null, TEAM);
  writeFileSync(own.config, '[channels.team]\ntype = "slack"\n');
  await expect(settingsBefore(own)).rejects.toThrow(/config\.toml:1:11: channels\.team\.url: is missing/);
});

test('setup offers and writes no channel whose name is locked, with routes of the machine or without', async () => {
  const ntfy = '[channels.ntfy]\ntype = "ntfy"\ntopic = "env:TOPIC"\n[channels.desktop]\ntype = "desktop"\n';
  const keys = '[locked]\nkeys = ["channels.ntfy", "channels.desktop", "redaction.level"]\n';
  const here = ['desktop', 'slack'].map((type) => ({ type, summary: '', lines: '', secrets: [] }));
  for (const routes of ['', '[[routes]]\nto = ["ntfy"]\n']) {
    const before = await settingsBefore(home(null, `${ntfy}${routes}${keys}`));
    expect(before.locked).toEqual(['ntfy', 'desktop']);
    const offered = configured(before).offered.map(({ type }) => type);
    expect(offered).not.toContain('ntfy');
    expect(offered).toContain('telegram');
    expect(writable(here, before).map(({ type }) => type)).toEqual(['slack']);
  }
  const before = await settingsBefore(home(null, ntfy));
  expect(before.locked).toEqual([]);
  expect(configured(before).offered.map(({ type }) => type)).toContain('ntfy');
  expect(writable(here, before)).toEqual(here);
});
