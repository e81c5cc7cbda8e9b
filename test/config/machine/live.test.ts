// Machine-wide settings while a daemon runs: a change takes effect, a broken file takes nothing away and is reported.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchConfig } from '../../../src/config/live/config-watcher.ts';
import { loadInitial } from '../../../src/config/live/initial-load.ts';
import { configFiles, writeMachine } from '../../support/machine-wide.ts';
import { until } from '../../support/wait.ts';

const locked = (level: string): string => `[locked]\nkeys = ["redaction.level"]\n[redaction]\nlevel = "${level}"\n`;

async function follow(own: string | null, machine: string | null, auto = false) {
  const files = configFiles(own, machine);
  const said: string[] = [];
  const live = watchConfig(await loadInitial(files, auto, 1), { files, log: () => undefined, now: () => 2 });
  live.follow({
    prepare: async () => undefined,
    onChange: async ({ redaction, retention }) => void said.push(`${redaction.level} ${retention.days}`),
    onInvalid: async ({ line, isMachine }) =>
      void said.push(`broken ${isMachine ? line.slice(files.machineConfig.length) : 'own'}`),
  });
  onTestFinished(live.close);
  return { files, live, said, level: () => live.config().redaction.level };
}

test('its folder that appears later, a change and its removal take effect', async () => {
  const { files, live, said, level } = await follow('[redaction]\nlevel = "full"\n', null);
  expect([level(), live.machine().config]).toEqual(['full', null]);
  mkdirSync(dirname(files.machineConfig), { recursive: true, mode: 0o755 });
  writeMachine(files, locked('short'));
  await until(() => level() === 'short', 'the lock to be in force');
  writeMachine(files, locked('title'));
  await until(() => level() === 'title', 'the stricter lock to be in force');
  rmSync(files.machineConfig);
  await until(() => said.at(-1) === 'full 30', 'one’s own level to count again');
  expect([level(), live.invalid()]).toEqual(['full', null]);
});

test('broken while it runs: its last good state stays, one’s own changes take effect, and it is reported once', async () => {
  const { files, live, said, level } = await follow('[redaction]\nlevel = "full"\n', locked('short'));
  await until(() => existsSync(join(files.state, 'machine.last-good.toml')), 'the copy to be kept');
  writeMachine(files, locked('loud'));
  await until(() => live.invalid() !== null, 'the broken file to be noticed');
  await live.reload();
  expect([level(), live.invalid()?.isMachine, live.machine().isLastGood]).toEqual(['short', true, true]);
  writeFileSync(files.config, '[redaction]\nlevel = "full"\n[retention]\ndays = 3\n');
  await until(() => live.config().retention.days === 3, 'one’s own change to be in force');
  expect([level(), await live.reload()]).toEqual(['short', null]);
  writeMachine(files, locked('title'));
  await until(() => level() === 'title' && live.invalid() === null, 'the corrected file to be in force');
  expect(said.filter((line) => line.startsWith('broken'))).toEqual([
    'broken :4:9: redaction.level: invalid value "loud"; expected full, short, title',
  ]);
});

test('broken at the start: nobody is kept from starting, and what the last daemon kept is in force', async () => {
  const files = configFiles('[retention]\ndays = 3\n', locked('loud'));
  const first = await loadInitial(files, false, 1);
  expect(first).toMatchObject({ origin: 'file', machine: { config: null }, invalid: { isMachine: true, text: null } });
  expect(first.config).toMatchObject({ redaction: { level: 'full' }, retention: { days: 3 } });
  writeFileSync(join(files.state, 'machine.last-good.toml'), locked('title'));
  const second = await loadInitial(files, false, 1);
  expect([second.config.redaction.level, second.invalid?.line]).toEqual([
    'title',
    `${files.machineConfig}:4:9: redaction.level: invalid value "loud"; expected full, short, title`,
  ]);
});

test('one’s own file broken at an automatic start: the last good one is laid over the machine’s', async () => {
  const files = configFiles('[retention]\ndays = "x"\n', locked('short'));
  await expect(loadInitial(files, false, 1)).rejects.toMatchObject({ exit: 2 });
  writeFileSync(join(files.state, 'config.last-good.toml'), '[redaction]\nlevel = "full"\n[retention]\ndays = 4\n');
  const { config, origin, invalid } = await loadInitial(files, true, 1);
  expect([config.redaction.level, config.retention.days, origin]).toEqual(['short', 4, 'last good']);
  expect(invalid).toMatchObject({ isMachine: false, text: '[retention]\ndays = "x"\n' });
});

test('both broken: one’s own is said until it is corrected, then that of the machine', async () => {
  const { files, live, said } = await follow('[retention]\ndays = "x"\n', locked('loud'), true);
  expect(live.invalid()?.isMachine).toBe(false);
  writeFileSync(files.config, '[retention]\ndays = 5\n');
  await until(() => live.config().retention.days === 5, 'one’s own file to be in force');
  await live.reload();
  expect(live.invalid()?.isMachine).toBe(true);
  expect(said).toEqual(['full 5', expect.stringMatching(/^broken :4:9: /)]);
});

test('a lock does not wait until one’s own file is corrected', async () => {
  const { files, live, level } = await follow('[redaction]\nlevel = "full"\n[retention]\ndays = 3\n', null);
  writeFileSync(files.config, '[retention]\ndays = "x"\n');
  await until(() => live.invalid() !== null, 'one’s own broken file to be noticed');
  writeMachine(files, locked('title'));
  await until(() => level() === 'title', 'the lock to be in force');
  await live.reload();
  expect([live.config().retention.days, live.origin(), live.invalid()?.isMachine]).toEqual([3, 'last good', false]);
});
