// Settings files that are not plain: links, modes, owners, read-only ones, folders, and files that change under our hands.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeManaged } from '../../installers/managed-file.ts';
import { backupRecordsIn } from '../../installers/files/backup-records.ts';
import { installHooks, uninstallHooks } from '../../installers/install.ts';
import { temporaryFolder } from '../support/home.ts';
import { probe, probeTools } from './probe.ts';

const root = process.getuid?.() === 0;
const NOBODY = 65534;
const before = '{\n  "model": "opus"\n}\n';
const at = (path: string) => ({ main: { path, at: ['hooks'] }, override: null });

test.each([0o600, 0o644, 0o664, 0o444])('mode %o is kept', async (mode) => {
  const home = temporaryFolder();
  const file = join(home, 's.json');
  writeFileSync(file, before);
  chmodSync(file, mode);
  const install = installHooks(probe, at(file), probe.events, probeTools(home));
  if (mode === 0o444 && !root) return expect(install).rejects.toThrow(/read-only/);
  await install;
  expect(statSync(file).mode & 0o777).toBe(mode);
  await uninstallHooks(probe, at(file), probeTools(home));
  expect(statSync(file).mode & 0o777).toBe(mode);
});

test('what we make is for the user alone, backups too', async () => {
  const home = temporaryFolder();
  const file = join(home, 's.json');
  await installHooks(probe, at(file), probe.events, probeTools(home));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const name of readdirSync(join(home, 'backups')))
    expect(statSync(join(home, 'backups', name)).mode & 0o077, name).toBe(0);
});

test('the owner is kept', async () => {
  const home = temporaryFolder();
  const file = join(home, 's.json');
  writeFileSync(file, before);
  const uid = root ? NOBODY : statSync(file).uid; // only root can give a file away
  if (root) chownSync(file, NOBODY, NOBODY);
  await installHooks(probe, at(file), probe.events, probeTools(home));
  expect(statSync(file)).toMatchObject({ uid });
});

test('a symlink stays one, through several links', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'dotfiles'));
  writeFileSync(join(home, 'dotfiles', 'real.json'), before);
  symlinkSync(join('dotfiles', 'real.json'), join(home, 'middle.json'));
  symlinkSync('middle.json', join(home, 's.json'));
  await installHooks(probe, at(join(home, 's.json')), probe.events, probeTools(home));
  expect(readlinkSync(join(home, 's.json'))).toBe('middle.json');
  expect(readFileSync(join(home, 'dotfiles', 'real.json'), 'utf8')).toContain('belfry-hook');
  await uninstallHooks(probe, at(join(home, 's.json')), probeTools(home));
  expect(readFileSync(join(home, 'dotfiles', 'real.json'), 'utf8')).toBe(before);
});

test('a dangling symlink gets its target, and is dangling again afterwards', async () => {
  const home = temporaryFolder();
  symlinkSync(join('far', 'away', 'real.json'), join(home, 's.json'));
  await installHooks(probe, at(join(home, 's.json')), probe.events, probeTools(home));
  expect(readFileSync(join(home, 'far', 'away', 'real.json'), 'utf8')).toContain('belfry-hook');
  await uninstallHooks(probe, at(join(home, 's.json')), probeTools(home));
  expect(lstatSync(join(home, 's.json')).isSymbolicLink()).toBe(true);
  expect(existsSync(join(home, 'far'))).toBe(false);
});

test('a symlink to itself and a folder in the place of the file are refused', async () => {
  const home = temporaryFolder();
  symlinkSync('s.json', join(home, 's.json'));
  mkdirSync(join(home, 'folder.json'));
  await expect(installHooks(probe, at(join(home, 's.json')), probe.events, probeTools(home))).rejects.toThrow(
    /symlink to itself/,
  );
  await expect(installHooks(probe, at(join(home, 'folder.json')), probe.events, probeTools(home))).rejects.toThrow(
    /is not a file/,
  );
});

test.each([
  ['file', /settings\.json is read-only: allow writing \(chmod u\+w\)/],
  ['folder', /sub is read-only: allow writing \(chmod u\+w\)/],
  ['unreadable', /cannot read .*permission denied/],
  ['missing-in-read-only', /cannot write .*permission denied/],
] as const)('without the permission (%s): a clear word, nothing changed', (what, message) => {
  const home = temporaryFolder();
  chmodSync(home, 0o755);
  const folder = join(home, 'sub');
  mkdirSync(folder);
  const file = join(folder, 'settings.json');
  if (what !== 'missing-in-read-only') writeFileSync(file, before);
  mkdirSync(join(home, 'backups'), { mode: 0o700 });
  if (root)
    for (const path of [folder, join(home, 'backups'), ...(existsSync(file) ? [file] : [])])
      chownSync(path, NOBODY, NOBODY);
  if (what === 'file') chmodSync(file, 0o444);
  if (what === 'unreadable') chmodSync(file, 0o000);
  if (what === 'folder' || what === 'missing-in-read-only') chmodSync(folder, 0o555);
  const script = new URL('install-probe.ts', import.meta.url).pathname;
  const ran = spawnSync(process.execPath, ['--import', 'tsx', script, home, file], {
    encoding: 'utf8',
    ...(root ? { uid: NOBODY, gid: NOBODY } : {}),
    env: { PATH: process.env['PATH'], HOME: home },
  });
  expect(ran.stdout + ran.stderr).toMatch(message);
  expect(readdirSync(folder)).toEqual(what === 'missing-in-read-only' ? [] : ['settings.json']);
  if (root && what !== 'missing-in-read-only') expect(readFileSync(file, 'utf8')).toBe(before);
  chmodSync(folder, 0o755);
});

test('somebody writes between reading and replacing: started over on what they wrote', async () => {
  const home = temporaryFolder();
  const file = join(home, 's.json');
  writeFileSync(file, 'one');
  let reads = 0;
  const done = await writeManaged(
    file,
    ({ bytes }) => {
      if (++reads === 1) writeFileSync(file, 'two'); // somebody else
      return { bytes: Buffer.concat([bytes ?? Buffer.alloc(0), Buffer.from('+ours')]), base: () => bytes };
    },
    { agent: 'probe', records: backupRecordsIn(join(home, 'backups')), dryRun: false, newMode: 0o600 },
  );
  expect(done.action).toBe('changed');
  expect(readFileSync(file, 'utf8')).toBe('two+ours');
  expect(readdirSync(home).sort()).toEqual(['backups', 's.json']);
});

test('a file that keeps changing is left to the other', async () => {
  const home = temporaryFolder();
  const file = join(home, 's.json');
  writeFileSync(file, '0');
  let reads = 0;
  const put = writeManaged(
    file,
    ({ bytes }) => {
      writeFileSync(file, String(++reads));
      return { bytes: Buffer.from('ours'), base: () => bytes };
    },
    { agent: 'probe', records: backupRecordsIn(join(home, 'backups')), dryRun: false, newMode: 0o600 },
  );
  await expect(put).rejects.toThrow(/keeps changing/);
  expect(readFileSync(file, 'utf8')).toBe(String(reads));
});

test('two installations at once', async () => {
  const home = temporaryFolder();
  const file = join(home, 's.json');
  writeFileSync(file, before);
  await Promise.all([1, 2, 3].map(() => installHooks(probe, at(file), probe.events, probeTools(home))));
  expect(readFileSync(file, 'utf8').match(/belfry-hook/g)?.length).toBe(probe.events.length);
  await uninstallHooks(probe, at(file), probeTools(home));
  expect(readFileSync(file, 'utf8')).toBe(before);
});
