// No settings and no desktop: nothing can be shown, so the log names each notification and the terminal says why.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { stop } from '../support/thread.ts';
import { until } from '../support/wait.ts';

test('without settings and without a desktop the log names what would have been shown, secrets hidden', async () => {
  const home = temporaryFolder();
  const daemon = await startDaemon(home);
  const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`;
  const lines = (): { error?: string; notification?: string }[] =>
    readFileSync(join(home, 'state', 'daemon.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { error?: string; notification?: string })
      .filter((line) => 'notification' in line);
  for (const [n, project] of ['/src/first', '/src/second'].entries()) {
    await hook(home, JSON.stringify({ ...stop(`s${n}`, `done ${secret}`), cwd: project }));
    await until(() => lines().length > n, `notification ${n + 1} in the log`);
  }
  expect(lines()).toMatchObject([
    { error: expect.stringContaining('no desktop: '), notification: expect.stringContaining('first') },
    { error: expect.stringContaining('no desktop: '), notification: expect.stringContaining('second') },
  ]);
  expect(readFileSync(join(home, 'state', 'daemon.log'), 'utf8')).not.toContain(secret);
  expect((await belfry(home, ['status'])).stdout).toContain('no desktop: ');
  await daemon.stop();
});
