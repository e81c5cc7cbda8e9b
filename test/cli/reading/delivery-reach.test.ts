// SENT, in `events` and in `pending`: what really happened, in one word.
import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import type { Define } from '../../../src/cli/command-entry.ts';
import { define as events } from '../../../src/cli/commands/history/events.ts';
import { processIo } from '../../../src/cli/io.ts';
import { define as pending } from '../../../src/cli/commands/pending/pending.ts';
import type { Delivery } from '../../../src/model/delivery/delivery.ts';
import { openStore } from '../../../src/store/open.ts';
import { pathsBelow, temporaryFolder } from '../../support/home.ts';
import { madeContent, madeDecision, madeDelivery, madeEvent, madeNotification, NOON } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';

afterEach(() => vi.unstubAllEnvs());

const EVENT = 'event-0001';
const OWN = { eventId: EVENT, notificationId: 'ntf_own' };
const TAKEN = { ...OWN, state: 'superseded', lastError: 'in the digest ntf_digest', heldBy: 'quiet' } as const;
const DIGEST = {
  eventId: 'event-0000',
  notificationId: 'ntf_digest',
  content: madeContent({ events: ['event-0000', EVENT], count: 2 }),
};
/** Of another channel, which was not told of it. */
const OTHERS = { ...DIGEST, channel: 'desk', content: madeContent({ events: ['event-0000'] }) };
/** After an outage, under the name of its last notification. */
const BACKLOG = { ...DIGEST, notificationId: 'ntf_last', createdAt: NOON + 60_000 };

test.each<[string, string, readonly Partial<Delivery>[]]>([
  ['nobody was to be notified', 'no', []],
  ['it was taken back', 'no', [{ ...OWN, state: 'cancelled' }]],
  ['it is due', 'waiting', [OWN]],
  ['it is being sent', 'waiting', [{ ...OWN, state: 'leased' }]],
  ['it is tried again', 'waiting', [{ ...OWN, attempts: 3, failures: 3, lastError: 'answered 500' }]],
  ['a route delays it', 'waiting', [{ ...OWN, scheduled: true }]],
  ['quiet hours hold it', 'waiting', [{ ...OWN, heldBy: 'quiet' }]],
  ['it was sent', 'yes', [{ ...OWN, state: 'sent' }]],
  [
    'it was sent, a step comes if nobody reacts',
    'yes',
    [
      { ...OWN, state: 'sent' },
      { ...OWN, step: 1, scheduled: true },
    ],
  ],
  [
    'it was sent to one and is on its way to another',
    'yes',
    [
      { ...OWN, state: 'sent' },
      { ...OWN, channel: 'desk' },
    ],
  ],
  [
    'it was given up, a step comes if nobody reacts',
    'failed',
    [
      { ...OWN, state: 'dead' },
      { ...OWN, step: 1, scheduled: true },
    ],
  ],
  ['its channel is paused', 'failed', [{ ...OWN, state: 'paused' }]],
  [
    'one of two was given up',
    'partly',
    [
      { ...OWN, state: 'sent' },
      { ...OWN, channel: 'desk', state: 'dead' },
    ],
  ],
  ['one was given up, the other is on its way', 'waiting', [OWN, { ...OWN, channel: 'desk', state: 'dead' }]],
  [
    'a reminder arrived where the first did not',
    'yes',
    [
      { ...OWN, state: 'dead' },
      { ...OWN, step: 1, state: 'sent' },
    ],
  ],
  [
    'a change of what was sent failed',
    'yes',
    [
      { ...OWN, state: 'sent' },
      { ...OWN, operation: 'update', state: 'dead' },
    ],
  ],
  ['a digest took it and was sent', 'yes', [TAKEN, { ...DIGEST, state: 'sent' }]],
  ['a digest took it and is tried again', 'waiting', [TAKEN, { ...DIGEST, attempts: 1 }]],
  ['a digest took it and was given up', 'failed', [TAKEN, { ...DIGEST, state: 'dead' }]],
  ['a digest without it was sent elsewhere', 'waiting', [TAKEN, DIGEST, { ...OTHERS, state: 'sent' }]],
  [
    'one delivery after an outage took its place',
    'yes',
    [
      { ...OWN, state: 'superseded', updatedAt: NOON + 60_000 },
      { ...BACKLOG, state: 'sent' },
    ],
  ],
])('%s: %s', async (_what, word, deliveries) => {
  const home = temporaryFolder();
  vi.stubEnv('BELFRY_HOME', home);
  const store = await openStore(pathsBelow(home).database);
  const verdicts = [{ stage: 'route', verdict: 'route' as const, note: 'team: route 1' }];
  await commitOne(
    store,
    madeDecision({
      events: [{ event: madeEvent({ id: EVENT }), fingerprint: null, verdicts: deliveries.length > 0 ? verdicts : [] }],
      notifications: [
        madeNotification({ id: 'ntf_own', eventIds: [EVENT] }),
        madeNotification({ id: 'ntf_digest', threadKey: 'digest', eventIds: ['event-0000', EVENT], state: 'resolved' }),
      ],
      deliveries: deliveries.map((more, i) => madeDelivery({ id: `dlv_${i}`, threadKey: `thread-${i}`, ...more })),
    }),
  );
  await store.close();
  expect(await sentIn(events)).toBe(word);
  expect(await sentIn(pending)).toBe(word);
});

/** What stands in the column in the first row, at a terminal that has no room for names of channels. */
async function sentIn(define: Define): Promise<string | undefined> {
  const lines: string[] = [];
  const command = new Command();
  const line = (text: string): void => void lines.push(text);
  define(command, { ...processIo(false), tty: true, color: false, columns: 48, line, note: line }, []);
  await command.parseAsync(define === pending ? ['--short'] : [], { from: 'user' });
  const [head = '', row = ''] = lines;
  return /^\w+/.exec(row.slice(/\bSENT\b(?! TO)/.exec(head)?.index))?.[0];
}
