// A mute through the built programs: what it holds back is shown, sent when it ends, and found again by `why`.
import { expect, test } from 'vitest';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, stop, verified, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

interface Row {
  readonly event_id: string;
  readonly state: string;
  readonly held_by: string | null;
}

test('held, shown, sent as one digest, across a restart; urgent passes', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  const daemon = await startDaemon(home);
  expect((await belfry(home, ['digest'])).stderr).toBe('nothing is held back\n');
  expect((await belfry(home, ['mute'])).code).toBe(0);
  for (const session of ['one', 'two']) await hook(home, JSON.stringify(stop(session)));
  const held = await until(async () => {
    const rows = await asked<Row[]>(home, ['deliveries']);
    return rows.filter(({ held_by }) => held_by !== null).length === 2 ? rows : null;
  }, 'both to be held');
  const [first] = held;
  expect(first?.held_by).toMatch(/^mute:/);
  expect((await belfry(home, ['why', first?.event_id ?? ''])).stdout).toContain('audit: held by a mute');
  expect((await belfry(home, ['digest'])).stdout).toContain('audit: While it was muted: 2 finished');
  await belfry(home, ['send', 'now', '--urgency', 'urgent']);
  expect((await audit.waitFor(1)).map((request) => verified(request).data.notification.title)).toEqual(['now']);

  await daemon.stop();
  await startDaemon(home);
  expect(audit.requests).toHaveLength(1);
  expect((await belfry(home, ['unmute'])).stdout).toBe('1 mute ended\n');
  const [, digest] = (await audit.waitFor(2)).map(verified);
  expect(digest?.data.notification).toMatchObject({ title: 'While it was muted: 2 finished', count: 2 });
  await until(
    async () => (await asked<Row[]>(home, ['deliveries'])).every(({ state }) => state !== 'pending'),
    'the end',
  );
  expect((await belfry(home, ['why', first?.event_id ?? ''])).stdout).toContain('in the digest ntf_');
  expect((await belfry(home, ['digest'])).stderr).toBe('nothing is held back\n');
  expect(audit.requests).toHaveLength(2);
});

test('digest --send sends it before the mute ends; a replay takes one out of it', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  await startDaemon(home);
  await belfry(home, ['mute', '1h']);
  const ids: string[] = [];
  for (const title of ['one', 'two']) ids.push((await asked<{ id: string }>(home, ['send', title])).id);
  expect((await belfry(home, ['replay', ids[0] ?? ''])).code).toBe(0);
  await audit.waitFor(1);
  expect((await belfry(home, ['digest', '--send'])).stdout).toBe('the digest is on its way\n');
  const titles = (await audit.waitFor(2)).map((request) => verified(request).data.notification.title);
  expect(titles).toEqual(['one', 'While it was muted: 1 other']);
});
