// A daemon whose database is damaged under it ends, and the next one goes on with what could be read.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

const input = (n: number, padding = 0): string =>
  JSON.stringify({ session_id: 's', cwd: '/tmp', hook_event_name: 'Stop', n, padding: 'x'.repeat(padding) });

test('it ends, the database is set aside, the next daemon takes events again', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), 'routes = []\n', { mode: 0o600 });
  const file = join(home, 'state', 'belfry.db');
  const first = await startDaemon(home);
  // More than the cache holds, so that it reads from the file again.
  for (let n = 0; n < 4; n++) await hook(home, input(n, 4_000_000));
  // In the file, and not only in a spool or a log that would outlive what is done to the file.
  await until(async () => {
    const { events, undecided } = JSON.parse((await belfry(home, ['status', '--json'])).stdout);
    return events === 4 && undecided === 0;
  }, 'the four to be decided');
  await first.stop();
  const second = await startDaemon(home);
  writeFileSync(file, Buffer.alloc(statSync(file).size, 7), { flag: 'r+' });
  let n = 10;
  await until(
    async () => {
      await hook(home, input(n++));
      await belfry(home, ['events', '--json']);
      return second.process.exitCode !== null;
    },
    'the daemon to end',
    30_000,
  );
  expect(second.process.exitCode).toBe(1);
  const third = await startDaemon(home);
  await hook(home, input(99));
  await until(async () => (await belfry(home, ['events', '--json'])).stdout.includes('Stop'), 'the new event');
  expect(readdirSync(join(home, 'state')).some((name) => name.startsWith('belfry.db.damaged-'))).toBe(true);
  expect(readFileSync(join(home, 'state', 'daemon.log'), 'utf8')).toContain('the journal was damaged');
  await third.stop();
});
