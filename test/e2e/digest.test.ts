// A mute through the built programs: what it holds back is shown, sent when it ends, and found again by `why`.
import { expect, test } from 'vitest';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, chatAndWebhookTo, chatTitle, homeWith, stop, verified } from '../support/thread.ts';
import { until } from '../support/wait.ts';

interface Row {
  readonly event_id: string;
  readonly state: string;
  readonly held_by: string | null;
  readonly title: string;
  readonly count: number;
}

test('held, shown, sent as one digest, across a restart; urgent passes', async () => {
  const chat = await startReceiver();
  const audit = await startReceiver();
  const home = homeWith(chatAndWebhookTo(chat.url, audit.url));
  const daemon = await startDaemon(home);
  expect((await belfry(home, ['digest'])).stderr).toBe('nothing is held back\n');
  expect((await belfry(home, ['mute'])).code).toBe(0);
  for (const session of ['one', 'two']) await hook(home, JSON.stringify(stop(session)));
  const held = await until(async () => {
    const rows = (await asked<Row[]>(home, ['deliveries'])).filter(({ held_by }) => held_by !== null);
    return rows.length === 2 ? rows : null;
  }, 'both to be held');
  const [first] = held;
  expect(first?.held_by).toMatch(/^mute:/);
  expect((await belfry(home, ['why', first?.event_id ?? ''])).stdout).toContain('chat: held by a mute');
  expect((await belfry(home, ['digest'])).stdout).toContain('chat: While it was muted: 2 finished');
  const recorded = (await audit.waitFor(2)).map((request) => verified(request).data);
  expect(recorded.map(({ event }) => event['session_id']).sort()).toEqual(['one', 'two']);
  expect(recorded.map(({ notification }) => notification.count)).toEqual([1, 1]);
  await belfry(home, ['send', 'now', '--urgency', 'urgent']);
  expect((await chat.waitFor(1)).map(chatTitle)).toEqual(['now']);

  await daemon.stop();
  await startDaemon(home);
  expect(chat.requests).toHaveLength(1);
  expect((await belfry(home, ['unmute'])).stdout).toBe('1 mute ended\n');
  expect((await chat.waitFor(2)).map(chatTitle)).toEqual(['now', 'While it was muted: 2 finished']);
  const over = await until(async () => {
    const rows = await asked<Row[]>(home, ['deliveries']);
    return rows.every(({ state }) => state !== 'pending') ? rows : null;
  }, 'the end');
  expect(over.find(({ title }) => title === 'While it was muted: 2 finished')).toMatchObject({ count: 2 });
  expect((await belfry(home, ['why', first?.event_id ?? ''])).stdout).toContain('in the digest ntf_');
  expect((await belfry(home, ['digest'])).stderr).toBe('nothing is held back\n');
  expect(chat.requests).toHaveLength(2);
  expect(audit.requests).toHaveLength(3);
});

test('digest --send sends it before the mute ends; a replay takes one out of it', async () => {
  const chat = await startReceiver();
  const audit = await startReceiver();
  const home = homeWith(chatAndWebhookTo(chat.url, audit.url));
  await startDaemon(home);
  await belfry(home, ['mute', '1h']);
  const ids: string[] = [];
  for (const title of ['one', 'two']) ids.push((await asked<{ id: string }>(home, ['send', title])).id);
  expect((await belfry(home, ['replay', ids[0] ?? ''])).code).toBe(0);
  await chat.waitFor(1);
  expect((await belfry(home, ['digest', '--send'])).stdout).toBe('the digest is on its way\n');
  expect((await chat.waitFor(2)).map(chatTitle)).toEqual(['one', 'While it was muted: 1 other']);
  const recorded = audit.requests.map((request) => verified(request).data.notification.title);
  expect(recorded).toEqual(['one', 'two', 'one']);
});
