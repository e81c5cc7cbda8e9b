// Commands that add to one's own settings where the machine has some: setup and channel add.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { channelOf } from '../../src/channels/index.ts';
import { configBefore } from '../../src/cli/commands/channel/config-before.ts';
import { type VerifiedChannel, writeChannel } from '../../src/cli/commands/channel/write-channel.ts';
import { configured, settingsBefore, writeSettings } from '../../src/cli/commands/setup/settings.ts';
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
async function added(own: string | null, machine: string, flags: VerifiedChannel['flags'] = {} as never) {
  const paths = home(own, machine);
  const channel = channelOf('command');
  if (!channel) throw new Error('no such channel');
  const before = await configBefore(paths, 'log', 'command');
  const answers = { run: ['true'] };
  const io = { ...processIo(false), note: () => undefined };
  await writeChannel(io, paths, { channel, name: 'log', answers, before, flags, interactive: false, tested: null });
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
  for (const route of ['1', '4'])
    await expect(added(OWN, TEAM + FIRST + ROUTES, { route: [route] } as never)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining('config.toml has routes 2 to 3'),
    });
});

test('one’s own routes may name a channel of the machine', async () => {
  expect(await added(`${OWN}[[routes]]\nto = ["team"]\n`, TEAM)).toContain('to = ["team", "log"]');
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
