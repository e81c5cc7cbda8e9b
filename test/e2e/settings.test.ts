// Settings while the daemon runs: a change takes effect, an invalid file is reported once and leaves the old in force.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, stop, verified, webhookTo, writeSettings } from '../support/thread.ts';
import { until } from '../support/wait.ts';

interface Status {
  readonly settings: { readonly origin: string; readonly broken: string | null };
  readonly channels: readonly { readonly name: string }[];
}

test.each(['while the daemon runs', 'while none runs', 'by removing the file while none runs'])(
  'that the file is invalid waits for nobody any more once it is mended %s',
  async (how) => {
    const audit = await startReceiver();
    const home = homeWith(webhookTo(audit.url));
    let daemon = await startDaemon(home);
    writeFileSync(join(home, 'config.toml'), 'to = [');
    const waiting = async (): Promise<readonly string[]> =>
      (await asked<{ kind: string }[]>(home, ['pending'])).map(({ kind }) => kind);
    await until(async () => (await waiting()).includes('settings.broken'), 'the broken file to be reported');
    if (how !== 'while the daemon runs') await daemon.stop('SIGKILL');
    if (how.startsWith('by removing')) rmSync(join(home, 'config.toml'));
    else writeSettings(home, webhookTo(audit.url));
    if (how !== 'while the daemon runs') daemon = await startDaemon(home);
    await until(async () => (await waiting()).length === 0, 'nothing to be waiting');
    await daemon.stop();
  },
);

test('a new channel is used, an invalid file is reported, a hook starts with the last good one', async () => {
  const [first, second] = await Promise.all([startReceiver(), startReceiver()]);
  const home = homeWith(webhookTo(first.url));
  const daemon = await startDaemon(home);
  writeSettings(home, webhookTo(second.url));
  await until(async () => {
    await hook(home, JSON.stringify(stop(`s-${Date.now()}`)));
    return second.requests.length > 0;
  }, 'the new address to be used');
  writeFileSync(join(home, 'config.toml'), 'to = [');
  const broken = await until(async () => {
    const { settings } = await asked<Status>(home, ['status']);
    return settings.broken;
  }, 'the broken file to be noticed');
  expect(broken).toMatch(/config\.toml:1:\d+: /);
  const notified = await until(
    () => second.requests.map(verified).find(({ type }) => type === 'settings.broken'),
    'the broken file to be notified',
  );
  expect(notified.data.notification).toMatchObject({
    title: 'belfry: config.toml is invalid',
    body: expect.stringContaining('config.toml:1:'),
  });
  const human = await belfry(home, ['status']);
  expect(human.stdout).toMatch(/^INVALID +.*config\.toml:1:/m);
  expect((await belfry(home, ['restart'])).code).toBe(2);
  await daemon.stop();
  expect((await belfry(home, ['start'])).code).toBe(2);
  // As a hook would start it.
  const count = second.requests.length;
  const sent = await belfry(home, ['send', 'still', 'notified']);
  expect([sent.code, sent.stdout]).toEqual([0, 'audit: delivered\n']);
  const { settings } = await asked<Status>(home, ['status']);
  expect([settings.origin, settings.broken]).toEqual(['last good', expect.stringMatching(/:1:/)]);
  await second.waitFor(count + 1);
  rmSync(join(home, 'config.toml'));
  await until(
    async () => (await asked<Status>(home, ['status'])).settings.origin === 'defaults',
    'the defaults to be in force',
  );
  expect((await belfry(home, ['stop'])).code).toBe(0);
});
