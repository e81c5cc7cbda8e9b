// A week in virtual time, with every combination of what may hold a notification back: in the end it was told once, or taken back.
import { describe, expect, test } from 'vitest';
import { type DeliveryState, IN_DIGEST } from '../../src/model/delivery/delivery.ts';
import { notificationIdOf } from '../../src/model/ids.ts';
import type { StoredEvent, StoreReader } from '../../src/store/contract.ts';
import { DESK_AND_PHONE } from '../support/people-channels.ts';
import { type Moment, type Timeline, timeline } from '../support/timeline.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A Monday, 20:00. */
const EVENING = Date.UTC(2026, 5, 1, 20);

/** What holds back, each for longer than a day, or into the next. */
const HOLDS = ['mute', 'quiet', 'delay', 'group', 'away', 'outage'] as const;
type Hold = (typeof HOLDS)[number];

const QUIET = `[quiet]\nhours = ["22:00-07:00", "tue-fri 07:00-19:00", "sat,sun 00:00-24:00"]\nzone = "UTC"\n`;
const settings = (holds: readonly Hold[]): string => `
${DESK_AND_PHONE}[[routes]]
to = ["desk"]
${holds.includes('delay') ? 'delay = "20h"' : ''}
${holds.includes('group') ? 'group = { by = ["project"], wait = "1m", every = "10m" }' : ''}
${holds.includes('away') ? 'when = "away"' : ''}
${holds.includes('quiet') ? QUIET : ''}
`;

/** Two prompts in quiet hours, of which one is answered after 30 hours, and a finish. */
const EVENTS: readonly Moment[] = [
  [3 * HOUR, 'ask a'],
  [3 * HOUR + 60, 'ask b'],
  [3 * HOUR + 120, 'finish c'],
  [30 * HOUR, 'answer b'],
];
const MOMENTS: Readonly<Record<Hold, readonly Moment[]>> = {
  mute: [[4 * HOUR, `mute ${2 * DAY}`]],
  outage: [
    [0, 'down desk'],
    [28 * HOUR, 'up desk'],
  ],
  away: [
    [0, 'look'],
    [4 * HOUR, 'leave'],
  ],
  quiet: [],
  delay: [],
  group: [],
};

const combinations = Array.from({ length: 2 ** HOLDS.length }, (_, bits) =>
  HOLDS.filter((_hold, i) => bits & (2 ** i)),
);

/** Of each event: in how many messages of its own, groups or digests it was told, or why it was taken back; and what is left of it. */
async function told({ harness: { store }, got }: Timeline): Promise<readonly string[]> {
  const events = await store.events({ kinds: ['agent.waiting', 'agent.finished'] });
  const lines = events.map(async ({ event }) => {
    const sends = got.filter(
      ({ operation, step, events: of }) => `${operation} ${step}` === 'send 0' && of.includes(event.id),
    );
    const times = new Set(sends.map(({ notificationId }) => notificationId)).size;
    const rows = await store.deliveries({ covers: event.id });
    for (const { lastError } of rows)
      if (lastError?.startsWith(IN_DIGEST)) await expectDigest(store, lastError, event.id);
    const left = rows.filter(({ state }) => !ENDED.has(state)).map(({ state }) => state);
    const own = await store.notification(notificationIdOf(event.id));
    const end = times > 0 ? `told ${times} times` : (own?.resolved?.why ?? 'lost').replace(/ after .*|:.*/, '');
    return [event.sessionId, end, ...left].join(' ');
  });
  return Promise.all(lines);
}

const ENDED: ReadonlySet<string> = new Set<DeliveryState>(['sent', 'superseded', 'cancelled']);

/** The digest that a row names was sent, or is in another one that was; and it tells of this event, or of nothing that was over by then. */
async function expectDigest(store: StoreReader, note: string, eventId: string): Promise<void> {
  const rows = await store.deliveries({ notificationId: note.slice(IN_DIGEST.length), operations: ['send'] });
  const sent = rows.filter(({ state }) => state === 'sent');
  const next = rows.findLast(({ lastError }) => lastError?.startsWith(IN_DIGEST) === true)?.lastError;
  if (sent.length === 0 && next) return expectDigest(store, next, eventId);
  expect(sent).toHaveLength(1);
  const own = await store.notification(notificationIdOf(eventId));
  const over = own?.resolved?.at ?? own?.acknowledged?.at ?? Infinity;
  const [digest] = sent;
  expect([eventId, digest?.content.events.includes(eventId)]).toEqual([eventId, over > (digest?.createdAt ?? 0)]);
}

describe('told once in the end, or taken back', () => {
  test.each(combinations.map((holds) => [holds.length === 0 ? 'nothing' : holds.join(', '), holds] as const))(
    'under %s',
    async (_name, holds) => {
      const line = await timeline(settings(holds), EVENING);
      const moments = [...EVENTS, ...holds.flatMap((hold) => MOMENTS[hold])].sort(([a], [b]) => a - b);
      let before = 0;
      for (const [at, action] of moments) {
        await line.to(at);
        if (action === 'answer b') before = line.got.length;
        await line.act(action);
      }
      await line.to(7 * DAY);
      const [first, second, finish] = await told(line);
      expect(first).toBe('a told 1 times');
      const [, { event: b }] = (await line.harness.store.events({ kinds: ['agent.waiting'] })) as [
        StoredEvent,
        StoredEvent,
      ];
      const inTime = line.got.slice(0, before).some(({ events }) => events.includes(b.id));
      expect(second).toBe(inTime ? 'b told 1 times' : 'b answered in the terminal');
      expect(['c told 1 times', ...(holds.includes('away') ? ['c seen'] : [])]).toContain(finish);
    },
  );
});
