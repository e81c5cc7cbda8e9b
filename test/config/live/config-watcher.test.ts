// Settings that follow their file: a change takes effect, an invalid file leaves the old in force and is reported once.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type InitialConfig, loadInitial } from '../../../src/config/live/initial-load.ts';
import { type ConfigListeners, type LiveConfig, watchConfig } from '../../../src/config/live/config-watcher.ts';
import type { ConfigFiles } from '../../../src/config/machine/machine-config.ts';
import { resolveSecret } from '../../../src/config/secrets/resolve-secrets.ts';
import { temporaryFolder } from '../../support/home.ts';
import { until } from '../../support/wait.ts';

const days = (n: number | string): string => `[retention]\ndays = ${n}\n`;

const filesOf = (config: string, state: string): ConfigFiles => ({
  config,
  state,
  machineConfig: join(state, 'none.toml'),
});

function followed(file: string, state: string, first: InitialConfig, listeners: ConfigListeners): LiveConfig {
  const living = watchConfig(first, { files: filesOf(file, state), log: () => undefined, now: () => 2 });
  living.follow(listeners);
  return living;
}

async function follow(file: string, state: string, auto = false) {
  const notified: string[] = [];
  const first = await loadInitial(filesOf(file, state), auto, 1);
  const living = followed(file, state, first, {
    prepare: async () => undefined,
    onChange: async (config) => void notified.push(`changed ${config.retention.days}`),
    onInvalid: async (broken) => void notified.push(`broke ${broken.line.slice(file.length)}`),
  });
  onTestFinished(living.close);
  return { living, notified };
}

test('written, replaced by rename, removed, broken and fixed: each takes effect once', async () => {
  const folder = temporaryFolder();
  const [file, state] = [join(folder, 'config.toml'), join(folder, 'state')];
  const { living, notified } = await follow(file, state);
  expect(living.origin()).toBe('defaults');
  writeFileSync(file, days(3));
  await until(() => living.config().retention.days === 3, 'the new file to be in force');
  writeFileSync(`${file}.new`, days(4));
  renameSync(`${file}.new`, file);
  await until(() => living.config().retention.days === 4, 'the replaced file to be in force');
  const copy = join(state, 'config.last-good.toml');
  await until(() => readFileSync(copy, 'utf8').includes('days = 4'), 'its copy to be kept');
  expect([readFileSync(copy, 'utf8'), statSync(copy).mode & 0o777]).toEqual([days(4), 0o600]);
  writeFileSync(file, days('"x"'));
  await until(() => living.invalid() !== null, 'the broken file to be noticed');
  await living.reload();
  expect([living.config().retention.days, living.origin()]).toEqual([4, 'last good']);
  expect(readFileSync(copy, 'utf8')).toBe(days(4));
  writeFileSync(file, days(5));
  await until(
    () => living.config().retention.days === 5 && living.invalid() === null,
    'the corrected file to be in force',
  );
  rmSync(file);
  await until(
    () => living.origin() === 'defaults' && notified.length === 5,
    'the defaults to be in force and notified',
  );
  expect(notified).toEqual([
    'changed 3',
    'changed 4',
    'broke :2:8: retention.days: must be a number',
    'changed 5',
    'changed 30',
  ]);
});

test('three bad saves in a row are one report; an empty file is read twice', async () => {
  const folder = temporaryFolder();
  const [file, state] = [join(folder, 'config.toml'), join(folder, 'state')];
  writeFileSync(file, days(3));
  const { living, notified } = await follow(file, state);
  for (const bad of [days('"x"'), 'days = \n', '[retention]\ndayz = 1\n']) {
    writeFileSync(file, bad);
    await living.reload();
    await living.reload(); // what the watcher began is over
  }
  expect(living.invalid()?.line).toContain('retention.dayz');
  expect(notified.filter((line) => line.startsWith('broke'))).toHaveLength(1);
  writeFileSync(file, '');
  const reloaded = living.reload();
  writeFileSync(file, days(8));
  await reloaded;
  await living.reload();
  expect(living.config().retention.days).toBe(8);
  expect(notified).not.toContain('changed 30');
});

test('a folder that is not there yet, and a link into another folder, are followed too', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'not', 'yet', 'config.toml');
  const { living } = await follow(file, join(folder, 'state'));
  mkdirSync(join(folder, 'not', 'yet'), { recursive: true });
  writeFileSync(file, days(6));
  await until(() => living.config().retention.days === 6, 'the file in the new folder');
  mkdirSync(join(folder, 'dotfiles'));
  const real = join(folder, 'dotfiles', 'belfry.toml');
  writeFileSync(real, days(7));
  rmSync(file);
  symlinkSync(real, file);
  await until(() => living.config().retention.days === 7, 'the linked file');
  writeFileSync(real, days(8));
  await until(() => living.config().retention.days === 8, 'the changed target of the link');
});

test('broken at start: a person is refused with line and column, a hook gets the last good settings', async () => {
  const folder = temporaryFolder();
  const [file, state] = [join(folder, 'config.toml'), join(folder, 'state')];
  writeFileSync(file, days(9));
  await (await follow(file, state)).living.close(); // by then the last good copy is kept
  writeFileSync(file, '[retention]\ndays = -1\n');
  await expect(loadInitial(filesOf(file, state), false, 1)).rejects.toMatchObject({
    exit: 2,
    message: expect.stringMatching(/config\.toml:2:8: retention\.days: .*belfry config check/),
  });
  const { living, notified } = await follow(file, state, true);
  expect([living.config().retention.days, living.origin(), notified]).toEqual([9, 'last good', []]);
  expect(living.invalid()?.line).toContain('config.toml:2:8');
  rmSync(state, { recursive: true });
  expect((await loadInitial(filesOf(file, state), true, 1)).origin).toBe('defaults');
  if (process.getuid?.() !== 0) {
    chmodSync(file, 0);
    await expect(loadInitial(filesOf(file, state), false, 1)).rejects.toThrow(/cannot be read \(EACCES\)/);
  }
});

test('each change is prepared, then in force, then followed, before the next is read and before reload() ends', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'config.toml');
  const notified: string[] = [];
  const gates: (() => void)[] = [];
  const first = await loadInitial(filesOf(file, join(folder, 'state')), false, 1);
  const living = followed(file, join(folder, 'state'), first, {
    prepare: async ({ retention }) => {
      notified.push(`prepare ${retention.days} beside ${living.config().retention.days}`);
      await new Promise<void>((resolve) => void gates.push(resolve));
    },
    onChange: async ({ retention }) => {
      notified.push(`changed ${retention.days} beside ${living.config().retention.days}`);
      await new Promise<void>((resolve) => void gates.push(resolve));
      notified.push('followed');
    },
    onInvalid: async () => undefined,
  });
  const go = async (): Promise<void> => (await until(() => gates.shift(), 'a step'))();
  writeFileSync(file, days(3));
  const one = living.reload().then((trouble) => void notified.push(`one ended ${trouble}`));
  await until(() => notified.length === 1, 'the first to be prepared');
  writeFileSync(file, days(4));
  const more = Array.from({ length: 50 }, () => living.reload());
  expect(new Set(more).size).toBe(1); // bounded: one reads, one waits
  for (let step = 0; step < 4; step++) await go();
  expect(await Promise.all(more)).toEqual(Array.from({ length: 50 }, () => null));
  await one;
  const steps = (n: number, before: number) => [
    `prepare ${n} beside ${before}`,
    `changed ${n} beside ${n}`,
    'followed',
  ];
  expect(notified.filter((line) => line !== 'one ended null')).toEqual([...steps(3, 30), ...steps(4, 3)]);
  expect(notified.indexOf('one ended null')).toBeGreaterThan(notified.indexOf('followed'));
  await living.close();
});

test('what cannot be prepared is not in force, reload() says why, and the next one tries again', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'config.toml');
  let full = true;
  const first = await loadInitial(filesOf(file, join(folder, 'state')), false, 1);
  const living = followed(file, join(folder, 'state'), first, {
    prepare: async () => {
      if (full) throw new Error('no room');
    },
    onChange: async () => undefined,
    onInvalid: async () => undefined,
  });
  onTestFinished(living.close);
  writeFileSync(file, days(3));
  expect([await living.reload(), living.config().retention.days]).toEqual([expect.stringContaining('no room'), 30]);
  full = false;
  expect([await living.reload(), living.config().retention.days]).toEqual([null, 3]);
});

test('secrets: from the environment, from a file, or why not', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret'), ' from a file \n');
  writeFileSync(join(folder, 'empty'), '\n');
  const of = (text: string) => resolveSecret(text, { SET: 'from env', EMPTY: '' });
  expect(await of('env:SET')).toEqual({ value: 'from env' });
  expect(await of(`file:${folder}/secret`)).toEqual({ value: 'from a file' });
  expect(await of('itself')).toEqual({ value: 'itself' });
  for (const wrong of ['env:EMPTY', 'env:UNSET', `file:${folder}/none`, `file:${folder}/empty`])
    expect(await of(wrong)).toEqual({ error: expect.stringMatching(/set it|put the secret there|write the secret/) });
});
