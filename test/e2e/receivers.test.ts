// Receivers that misbehave: Retry-After, 500, 404 and one that hangs, through the built programs.
import { expect, test } from 'vitest';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, stop, verified, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

interface Listed {
  readonly state: string;
  readonly attempts: number;
  readonly last_reason: string | null;
}

test('a 429 is honoured, a 500 repeated under the same id, a hanging session delays no other', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  const seen = new Map<string, number>();
  audit.answer = (request) => {
    const session = String(verified(request).data.event['session_id']);
    const times = (seen.get(session) ?? 0) + 1;
    seen.set(session, times);
    if (session === 'limited' && times === 1) return { status: 429, headers: { 'retry-after': '2' } };
    if (session === 'broken' && times === 1) return 500;
    if (session === 'hangs') return () => undefined; // never answers
    return 200;
  };
  await startDaemon(home);
  await hook(home, JSON.stringify(stop('hangs')));
  await audit.waitFor(1);
  await hook(home, JSON.stringify(stop('broken')));
  await audit.waitFor(2);
  await hook(home, JSON.stringify(stop('quick')));
  await audit.waitFor(3);
  await hook(home, JSON.stringify(stop('limited')));
  await until(() => seen.get('limited') === 2 && seen.get('broken') === 2, 'both repetitions');
  const of = (session: string) =>
    audit.requests.filter((request) => verified(request).data.event['session_id'] === session);
  const ids = (session: string) => new Set(of(session).map(({ headers }) => headers['webhook-id']));
  expect([ids('limited').size, ids('broken').size, of('quick').length]).toEqual([1, 1, 1]);
  const [first, second] = of('limited');
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
  const deliveries = await asked<(Listed & { session_id: string })[]>(home, ['deliveries']);
  const state = (session: string) => deliveries.find(({ session_id }) => session_id === session)?.state;
  expect([state('quick'), state('hangs')]).toEqual(['sent', expect.stringMatching(/leased|pending/)]);
});

test('a 404 is not hammered: the channel is failing, its deliveries wait, the other channel says so', async () => {
  const [gone, other] = await Promise.all([startReceiver(), startReceiver()]);
  gone.answer = () => 404;
  const home = homeWith(`[channels.gone]
type = "webhook"
url = "${gone.url}"
allow_private = true
${webhookTo(other.url).replace('to = ["audit"]', 'match = { kind = "agent.finished" }\nto = ["gone"]')}`);
  await startDaemon(home);
  for (const session of ['a', 'b', 'c']) await hook(home, JSON.stringify(stop(session)));
  const [notified] = (await other.waitFor(1)).map(verified);
  expect(notified).toMatchObject({ type: 'channel.failing' });
  await until(
    async () =>
      (await asked<Listed[]>(home, ['deliveries', '--channel', 'gone'])).filter(({ state }) => state === 'paused')
        .length === 3,
    'three deliveries to wait',
  );
  expect(gone.requests.length).toBeLessThanOrEqual(3);
  const status = await belfry(home, ['status']);
  expect(status.stdout).toMatch(/gone \(webhook\) failing .*3 waiting.*404/);
  gone.answer = () => 200;
  expect((await belfry(home, ['test', 'gone'])).code).toBe(0);
  await until(
    async () =>
      (await asked<Listed[]>(home, ['deliveries', '--channel', 'gone'])).every(
        ({ state }) => state === 'sent' || state === 'superseded',
      ),
    'the deliveries to go out',
  );
});
