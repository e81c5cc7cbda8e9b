// Doctor where little is there, its exit codes, and its page. Deliberate breakages: test/torture/doctor.test.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderDoctorDocs } from '../../.ci/doctor-docs.ts';
import { CHECKS } from '../../src/cli/doctor/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';

interface Notified {
  readonly ok: boolean;
  readonly checks: readonly { name: string; results: readonly { level: string; text: string; fix?: string }[] }[];
}

test('docs/doctor.md is as the checks say', () => {
  const page = readFileSync(new URL('../../docs/doctor.md', import.meta.url), 'utf8');
  expect(renderDoctorDocs(page, CHECKS), 'run `npm run docs`').toBe(page);
});

test('nothing is there: every check answers, each problem has a fix', async () => {
  const home = temporaryFolder();
  const ran = await belfry(home, ['doctor', '--json'], { env: { PATH: '/usr/bin:/bin' } });
  expect(ran).toMatchObject({ code: 1, stderr: '' });
  const notified = JSON.parse(ran.stdout) as Notified;
  expect(notified.checks.map(({ name }) => name)).toEqual(CHECKS.map(({ name }) => name));
  for (const { results } of notified.checks)
    for (const { level, fix } of results) expect(fix === undefined).toBe(level === 'ok');
});

test('all checks pass, then one fails', async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  mkdirSync(join(home, '.claude'));
  const config = `[channels.audit]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n[[routes]]\nto = ["audit"]\n`;
  writeFileSync(join(home, 'config.toml'), config);
  await belfry(home, ['install', 'claude']);
  const daemon = await startDaemon(home);
  const well = await belfry(home, ['doctor']);
  expect(well.stdout).toMatch(/All checks passed\.\n$/);
  expect(well).toMatchObject({ code: 0, stderr: '' });
  await daemon.stop();
  const ill = await belfry(home, ['doctor']);
  expect(ill.stdout).toMatch(
    /FAIL {2}daemon +no daemon is running, and hooks do not start it\n +fix: run `belfry start`.*\n[\s\S]*1 check failed\.\n$/,
  );
  expect(ill.code).toBe(1);
  expect(receiver.requests).toEqual([]);
});
