// The life of what is let out of a hold: a digest shrinks and ends with its members, and nothing is left behind by whatever happens meanwhile.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { channelProfiles } from '../../../src/daemon/channels/channel-profiles.ts';
import { acknowledge } from '../../../src/decisions/acknowledge.ts';
import { batchHandler, heldSoFar } from '../../../src/decisions/batch/let-out.ts';
import { reviewHolds } from '../../../src/decisions/batch/stale-holds.ts';
import { createWriter, type WriterDeps } from '../../../src/decisions/writer.ts';
import { releaseTimer } from '../../../src/dispatch/batch-plan.ts';
import type { Delivery } from '../../../src/model/delivery/delivery.ts';
import { HERE } from '../../../src/model/session/whereabouts.ts';
import { COMMAND_LINE } from '../../../src/model/notification/resolution.ts';
import { openStore } from '../../../src/store/open.ts';
import { AUDIT } from '../../support/people-channels.ts';
import { decidingOf } from '../../support/deciding.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeContent, madeDecision, madeDelivery, madeEvent, madeNotification, NOON } from '../../support/made.ts';
import { type Moment, play, timeline } from '../../support/timeline.ts';
import { commitOne } from '../../support/store-writes.ts';

const phoneThat = (end: 'update' | 'remove', route = ''): string => `
[channels.phone]
type = "ntfy"
topic = "belfry-of-the-tests"
on_resolved = "${end}"
[channels.desk]
type = "slack"
url = "https://127.0.0.1:9/services/x"
allow_private = true
[[routes]]
match = { kind = "agent.waiting" }
to = ["phone"]
${route}
`;
const MUTED: readonly Moment[] = [
  [0, 'mute 300'],
  [1, 'ask a'],
  [2, 'ask b'],
];

describe('a digest', () => {
  test.each<[name: string, end: 'update' | 'remove', more: readonly Moment[], after: readonly string[]]>([
    [
      'shrinks when a member that waits is answered',
      'update',
      [[310, 'answer a']],
      ['310 phone update While it was muted: 1 still waiting'],
    ],
    [
      'ends with the last of them',
      'update',
      [
        [310, 'answer a'],
        [320, 'answer b'],
      ],
      ['310 phone update While it was muted: 1 still waiting', '320 phone update While it was muted: 1 still waiting'],
    ],
    [
      'is changed once in five seconds at most',
      'update',
      [
        [301, 'answer a'],
        [302, 'answer b'],
      ],
      ['302 phone update While it was muted: 2 still waiting'],
    ],
    [
      'is taken back when it is over',
      'remove',
      [
        [310, 'answer a'],
        [320, 'answer b'],
      ],
      ['310 phone update While it was muted: 1 still waiting', '320 phone retract While it was muted: 1 still waiting'],
    ],
    [
      'is over when it is acknowledged',
      'update',
      [
        [310, 'ack'],
        [320, 'answer a'],
      ],
      ['310 phone update While it was muted: 2 still waiting'],
    ],
  ])('%s', async (_name, end, more, after) => {
    const got = await play(phoneThat(end), [...MUTED, ...more], 600);
    expect(got).toEqual(['300 phone send While it was muted: 2 still waiting', ...after]);
  });

  test('acknowledged: so is each of its members', async () => {
    const line = await timeline(phoneThat('update'));
    for (const [at, action] of [...MUTED, [310, 'ack']] satisfies readonly Moment[]) {
      await line.to(at);
      await line.act(action);
    }
    const states = (await line.harness.store.notifications({})).map(({ kind, detail, state }) => [kind, detail, state]);
    expect(states).toHaveLength(3);
    for (const [, , state] of states) expect(state).toBe('acknowledged');
  });

  test.each([
    ['answered', 'resolved', 'all 2 are over'],
    ['acknowledged', 'acknowledged', undefined],
  ] as const)('whose members are %s one by one is %s', async (how, state, why) => {
    const line = await timeline(phoneThat('update'));
    for (const [at, action] of MUTED) {
      await line.to(at);
      await line.act(action);
    }
    await line.to(310);
    const { store, clock, config } = line.harness;
    const all = await store.notifications({});
    const deciding = decidingOf(store, clock.now, () => config);
    if (how === 'answered') for (const session of ['a', 'b'] as const) await line.act(`answer ${session}`);
    else
      for (const { id, group } of all)
        if (group === undefined) await acknowledge(id, { by: 'dev', via: COMMAND_LINE }, deciding);
    await line.to(400);
    const [digest] = (await store.notifications({})).filter(({ group }) => group !== undefined);
    expect([digest?.state, digest?.resolved?.why]).toEqual([state, why]);
  });

  test('what was answered before is not in it; of nothing that is left there is none', async () => {
    const one = await play(phoneThat('update'), [...MUTED, [100, 'answer a']], 600);
    expect(one).toEqual(['300 phone send While it was muted: 1 still waiting']);
    expect(await play(phoneThat('update'), [...MUTED, [100, 'answer a'], [101, 'answer b']], 600)).toEqual([]);
  });

  test.each<[name: string, moments: readonly Moment[], at: number]>([
    ['until its end', [[301, 'mute 699 desk']], 1_000],
    [
      'until somebody unmutes',
      [
        [301, 'mute desk'],
        [800, 'unmute'],
      ],
      800,
    ],
  ])(
    'what follows it is held by another mute %s: there event by event, without what is over',
    async (_name, more, at) => {
      const route = `escalate = [{ after = "2m", to = ["desk"] }]`;
      const moments = [...MUTED, [2.5, 'ask c'], ...more, [500, 'answer a']] satisfies readonly Moment[];
      const line = await timeline(phoneThat('update', route));
      for (const [when, action] of moments.toSorted(([a], [b]) => a - b)) {
        await line.to(when);
        await line.act(action);
      }
      await line.to(1_100);
      const desk = line.got.filter(({ channel }) => channel === 'desk');
      expect(desk.map((one) => `${one.at} ${one.title}`)).toEqual([`${at} While it was muted: 2 still waiting`]);
      const asked = await line.harness.store.events({ kinds: ['agent.waiting'], limit: 9 });
      const open = asked.filter(({ event }) => event.sessionId !== 'a').map(({ event }) => event.id);
      expect(desk[0]?.events.toSorted()).toEqual(open.toSorted());
    },
  );
});

test('a digest says what stood still meanwhile, and went on', async () => {
  const line = await timeline(phoneThat('update'));
  for (const [at, action] of MUTED) {
    await line.to(at);
    await line.act(action);
  }
  const { ingest, clock, store } = line.harness;
  // One that it was held of, and one of another channel.
  const ids = { id: 'continued-1', sessionId: 'a', project: 'payments', agent: 'claude', at: clock.now() };
  const continued = { kind: 'agent.other', detail: 'continued', attributes: { stopped_ms: 8_040_000 } } as const;
  const others = { ...ids, id: 'continued-2', sessionId: 'd', project: 'shop' };
  for (const one of [ids, others]) {
    const event = madeEvent({ ...HERE, ...one, ...continued });
    await ingest.acceptEvent({ event, source: 'belfry', occurrence: one.id });
  }
  await line.to(310);
  const [digest] = await store.deliveries({ channel: 'phone', states: ['sent'] });
  expect(digest?.content.title).toBe('While it was muted: 2 still waiting');
  expect(digest?.content.body).toMatch(/\n\nContinued:\n- payments: Claude goes on, after 2 h 14 min \(\d+ min ago\)$/);
});

test('what follows a digest tells of those that it is for', async () => {
  const route = 'escalate = [{ after = "2m", to = ["desk"] }]';
  const [settings = '', routes = ''] = phoneThat('update', route).split('[[routes]]');
  const other = `[[routes]]\nmatch = { project = "web" }\nto = ["phone"]\n`;
  const moments: readonly Moment[] = [...MUTED, [3, 'ask c@web']];
  expect(await play(`${settings}${other}[[routes]]${routes}`, moments, 600)).toEqual([
    '300 phone send While it was muted: 3 still waiting',
    '420 desk send payments: 2 sessions need permission (not acknowledged for 2 min)',
  ]);
});

test('a digest of steps says of each for how long nobody has acknowledged it', async () => {
  const settings = phoneThat('update', 'escalate = [{ after = "2m", to = ["desk"] }]');
  const line = await timeline(settings);
  const moments = [
    [0, 'ask a'],
    [1, 'ask b'],
    [60, 'mute 240 desk'],
  ] satisfies readonly Moment[];
  for (const [at, action] of moments) {
    await line.to(at);
    await line.act(action);
  }
  await line.to(310);
  const [digest] = await line.harness.store.deliveries({ channel: 'desk', states: ['sent'] });
  expect(digest?.content.body.split('\n').slice(1)).toEqual([
    '- payments: Claude needs permission to run Bash (not acknowledged for 2 min) (5 min ago)',
    '- payments: Claude needs permission to run Bash (not acknowledged for 2 min) (5 min ago)',
  ]);
});

test('of what follows a group, what is over is not in the digest that a mute keeps it for', async () => {
  const route =
    'group = { by = ["project"], wait = "2s", every = "20m" }\nescalate = [{ after = "2m", to = ["desk"] }]';
  const moments: readonly Moment[] = [
    [0, 'ask a'],
    [1, 'ask b'],
    [10, 'mute 590 desk'],
    [300, 'answer a'],
  ];
  const got = await play(phoneThat('update', route), moments, 900);
  expect(got.filter((one) => one.includes(' desk '))).toEqual(['600 desk send While it was muted: 1 still waiting']);
});

test('what a digest takes the place of says why it was not sent by itself', async () => {
  const line = await timeline(phoneThat('update', 'escalate = [{ after = "2m", to = ["desk"] }]'));
  for (const [at, action] of [...MUTED, [3, 'finish a'], [4, 'ask c']] satisfies readonly Moment[]) {
    await line.to(at);
    await line.act(action);
  }
  await line.to(310);
  const rows = await line.harness.store.deliveries({ states: ['superseded'] });
  const said = rows.map(({ channel, step, lastError }) => `${channel} ${step} ${lastError?.replace(/ntf_\w+/, 'it')}`);
  expect([...new Set(said)].sort()).toEqual(['desk 1 counts from the digest', 'phone 0 in the digest it']);
  const all = await line.harness.store.notifications({});
  const digest = all.find(({ group }) => group !== undefined);
  const asked = all.filter(({ kind, group }) => kind === 'agent.waiting' && group === undefined);
  const where = asked.map(({ state, inGroup }) => `${state} ${inGroup}`);
  expect(where.sort()).toEqual([`open ${digest?.id}`, `open ${digest?.id}`, 'resolved undefined']);
});

test('a group whose events are acknowledged one by one, after it was sent: its record gets it all the same', async () => {
  const group = 'group = { by = ["kind"], wait = "2s", every = "1m" }';
  const [settings = ''] = phoneThat('update').split('[[routes]]');
  const line = await timeline(`${settings}${AUDIT}[[routes]]\nto = ["phone", "audit"]\n${group}\n`);
  await line.act('ask a');
  await line.act('ask b');
  await line.act('down audit');
  await line.to(10);
  const { store, clock, config } = line.harness;
  const deciding = decidingOf(store, clock.now, () => config);
  for (const { id, group: batch } of await store.notifications({}))
    if (batch === undefined) await acknowledge(id, { by: 'dev', via: COMMAND_LINE }, deciding);
  await line.to(100);
  await line.act('up audit');
  await line.to(200);
  const [over] = (await store.notifications({})).filter(({ group: batch }) => batch !== undefined);
  expect(over?.state).toBe('acknowledged');
  expect(line.got.map(({ at, channel, operation, title }) => `${at} ${channel} ${operation} ${title}`)).toEqual([
    '2 phone send payments: 2 sessions need permission',
    '10 phone update payments: 2 sessions need permission',
    '100 audit send payments: 2 sessions need permission',
  ]);
});

test('what would have followed a group follows the digest of each that a mute keeps from it, whatever joins it later', async () => {
  const route =
    'group = { by = ["project"], wait = "2s", every = "1m" }\nescalate = [{ after = "2m", to = ["desk"] }]\ndelay = "5m"';
  const moments: readonly Moment[] = [
    [1, 'ask a'],
    [20, 'ask b'],
    [100, 'mute 600'],
  ];
  expect(await play(phoneThat('update', route), moments, 900)).toEqual([
    '700 phone send While it was muted: 2 still waiting',
    '820 desk send payments: 2 sessions need permission (not acknowledged for 2 min)',
  ]);
});

test.each([
  [
    'after it',
    ['desk', 'phone'],
    [
      '3 phone send payments: Claude needs permission to run Bash',
      '123 desk send payments: Claude needs permission to run Bash (not acknowledged for 2 min)',
    ],
  ],
])('a route whose channel the group of another takes gives its steps to that: %s', async (_name, _to, expected) => {
  const [settings = ''] = phoneThat('update').split('[[routes]]');
  const group = 'group = { by = ["project"], wait = "2s", every = "1m" }';
  const first = `[[routes]]\nto = ["phone"]\nalso = true\n${group}\n`;
  const second = `[[routes]]\nmatch = { kind = "agent.waiting" }\nto = ["phone"]\n${group}\nescalate = [{ after = "2m", to = ["desk"] }]\n`;
  expect(await play(`${settings}${first}${second}`, [[1, 'ask a']], 600)).toEqual(expected);
});

test('a reminder of a digest that another mute holds brings back those that it is for, and nobody else', async () => {
  const settings = `${phoneThat('update', 'repeat = "10m"')}[[routes]]\nmatch = { kind = "agent.finished" }\nto = ["phone"]\n`;
  const moments: readonly Moment[] = [
    [0, 'mute 300'],
    [1, 'ask a'],
    [2, 'finish b'],
    [3, 'ask c'],
    [310, 'mute 1000'],
  ];
  expect(await play(settings, moments, 1_400)).toEqual([
    '300 phone send While it was muted: 2 still waiting, 1 finished',
    '1310 phone send While it was muted: 2 still waiting',
  ]);
});

test('what follows a digest that somebody asked for in quiet hours comes after them, one after the other', async () => {
  const steps = 'escalate = [{ after = "2m", to = ["desk"] }, { after = "10m", to = ["desk"] }]';
  const quiet = '[quiet]\nhours = ["12:00-13:00"]\nzone = "UTC"\n';
  const moments: readonly Moment[] = [
    [1, 'ask a'],
    [2, 'ask b'],
    [10, 'digest'],
  ];
  expect(await play(`${phoneThat('update', steps)}${quiet}`, moments, 4_500)).toEqual([
    '10 phone send While it was quiet: 2 still waiting',
    '3600 desk send payments: 2 sessions need permission (not acknowledged for 2 min)',
    '4080 desk send payments: 2 sessions need permission (not acknowledged for 10 min)',
  ]);
});

/** A store with so many sends that quiet hours hold, and the handler of their end. */
async function holding(
  count: number,
  around: WriterDeps['around'] = (_decision, commit) => commit(),
  heldBy = 'quiet',
  channel = 'desk',
) {
  const loaded = await loadConfig(
    `[channels.desk]\ntype = "slack"\nurl = "https://hooks.slack.com/services/a"\n${AUDIT}`,
  );
  if (!loaded.ok) throw new Error('the settings are invalid');
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { now: () => NOON });
  onTestFinished(() => store.close());
  const ids = Array.from({ length: count }, (_, i) => `event-${String(i).padStart(4, '0')}`);
  const rows = ids.map((id, i): Delivery => {
    const event = madeEvent({ id, at: NOON - count + i });
    const own = { id: `delivery-${id}`, eventId: id, notificationId: `ntf-${id}`, threadKey: `thread-${i}` };
    const content = madeContent({ event, events: [id] });
    return madeDelivery({ ...own, channel, unless: 'acknowledged', heldBy, scheduled: true, content });
  });
  await commitOne(
    store,
    madeDecision({
      notifications: ids.map((id) => madeNotification({ id: `ntf-${id}`, eventIds: [id] })),
      deliveries: rows,
    }),
  );
  const parts = { store, now: () => NOON, config: () => loaded.config, home: '' };
  const profiles = () => channelProfiles(loaded.config);
  const handlerOf = (way: WriterDeps['around']) =>
    batchHandler({ ...parts, profiles, writer: createWriter({ store, around: way }) });
  const timer = releaseTimer(heldBy, NOON);
  const due = async (id: string) => (await store.timers([id])).map((one) => one.due - NOON);
  const held = async (by = heldBy) =>
    (await store.deliveries({ heldBy: by, states: ['pending'], limit: 5_000 })).length;
  const digests = async () =>
    (await store.deliveries({ states: ['pending'], limit: 5_000 })).flatMap(({ heldBy: by, content: { title } }) =>
      by === null ? [title] : [],
    );
  return {
    store,
    soFar: () => heldSoFar(heldBy, { ...parts, profiles }),
    timer,
    handle: handlerOf(around),
    again: handlerOf((_decision, commit) => commit()),
    due,
    held,
    digests,
  };
}

describe('what is held', () => {
  test('more than a thousand: the rest is another digest, at once', async () => {
    const { timer, handle, due, held, digests } = await holding(1_001);
    await handle(timer);
    expect(await digests()).toEqual(['While it was quiet: 1000 finished']);
    expect([await held(), await due('quiet')]).toEqual([1, [1]]);
    await handle({ ...timer, due: NOON + 1 });
    expect(await digests()).toEqual(['While it was quiet: 1000 finished', 'While it was quiet: 1 finished']);
    expect([await held(), await due('quiet')]).toEqual([0, []]);
  });

  test('ended before its next timer is set: the next start sees what is left', async () => {
    const { store, timer, handle, again, due, held, digests } = await holding(1_001, async (_decision, commit) => {
      await commit();
      throw new Error('the process ends');
    });
    await expect(handle(timer)).rejects.toThrow('the process ends');
    expect([await held(), await due('quiet')]).toEqual([1, []]);
    await reviewHolds(store, NOON + 5);
    expect(await due('quiet')).toEqual([5]);
    await again({ ...timer, due: NOON + 5 });
    expect([await held(), (await digests()).length]).toEqual([0, 2]);
  });

  test('over by then, and not taken back before: it is not in the digest, and says why', async () => {
    const { store, timer, handle, digests } = await holding(2);
    const [one] = await store.notifications({ limit: 1 });
    if (one === undefined) throw new Error('none is kept');
    const over = { ...one, state: 'resolved', resolved: { at: NOON, why: 'you went on' } } as const;
    await commitOne(store, madeDecision({ entryId: 'over', notifications: [over], deliveries: [] }));
    await handle(timer);
    expect(await digests()).toEqual(['While it was quiet: 1 finished']);
    const rows = await store.deliveries({ states: ['superseded'] });
    const said = rows.map(({ notificationId, lastError }) => [notificationId === one.id, lastError?.split(' ntf_')[0]]);
    expect(said.sort()).toEqual([
      [false, 'in the digest'],
      [true, 'over before its digest'],
    ]);
  });

  test('decided at this very moment before: decided again under another time', async () => {
    const { timer, handle, due, digests } = await holding(1);
    await handle(timer);
    await handle(timer);
    expect([await due('quiet'), (await digests()).length]).toEqual([[], 1]);
  });

  test('more came at this very moment: a digest of their own follows', async () => {
    const { store, timer, handle, due, digests } = await holding(1);
    await handle(timer);
    const event = madeEvent({ id: 'event-late' });
    const own = {
      id: 'late',
      eventId: event.id,
      notificationId: 'ntf-late',
      threadKey: 'late',
      channel: 'desk',
      heldBy: 'quiet',
    };
    await commitOne(
      store,
      madeDecision({
        entryId: event.id,
        notifications: [madeNotification({ id: 'ntf-late', eventIds: [event.id] })],
        deliveries: [
          madeDelivery({
            ...own,
            unless: 'acknowledged',
            scheduled: true,
            content: madeContent({ event, events: [event.id] }),
          }),
        ],
      }),
    );
    await handle(timer);
    expect([await due('quiet'), (await digests()).length]).toEqual([[1], 1]);
    await handle({ ...timer, due: NOON + 1 });
    expect([await due('quiet'), (await digests()).length]).toEqual([[], 2]);
  });

  test('a mute holds it now, and ends while that is decided: its digest is due at once', async () => {
    const { store, timer, handle, due, held } = await holding(2, async (_decision, commit) => {
      await store.removeSilences({});
      return commit();
    });
    const muted = { session: null, cwd: null, channel: null, all: false, createdAt: NOON };
    await store.putSilence({ id: 'm1', until: NOON + 60_000, ...muted });
    await handle(timer);
    expect([await held(), await held('mute:m1'), await due('mute:m1'), await due('quiet')]).toEqual([0, 2, [0], []]);
  });

  test('a mute that goes on holds it until its end', async () => {
    const { store, timer, handle, due, held } = await holding(2);
    const muted = { session: null, cwd: null, channel: null, all: false, createdAt: NOON };
    await store.putSilence({ id: 'm1', until: NOON + 60_000, ...muted });
    await handle(timer);
    expect([await held('mute:m1'), await due('mute:m1')]).toEqual([2, [60_000]]);
  });

  test('somebody asked for it: it goes out, whatever is muted', async () => {
    const { store, handle, digests } = await holding(2);
    const muted = { session: null, cwd: null, channel: null, all: true, createdAt: NOON };
    await store.putSilence({ id: 'm1', until: null, ...muted });
    await handle(releaseTimer('quiet', NOON, true));
    expect(await digests()).toEqual(['While it was quiet: 2 finished']);
    const [row] = await store.deliveries({ states: ['pending'], limit: 1 });
    expect(row?.threadKey).toBe(`digest-asked:quiet:${NOON}`);
  });

  test('more than a thousand that somebody asked for: the rest is asked for as well', async () => {
    const { store, handle } = await holding(1_001);
    await handle(releaseTimer('quiet', NOON, true));
    expect(await store.timers(['quiet'])).toMatchObject([{ due: NOON + 1, data: { force: true } }]);
  });

  test('it can be read before, and stays as it is', async () => {
    const { store, soFar, held } = await holding(2);
    const own = {
      id: 'bell',
      eventId: 'event-0000',
      notificationId: 'ntf-event-0000',
      threadKey: 'bell',
      channel: 'bell',
    };
    await commitOne(
      store,
      madeDecision({
        entryId: 'bell',
        notifications: [madeNotification({ id: 'ntf-over', eventIds: ['over'], state: 'resolved' })],
        deliveries: [
          madeDelivery({ ...own, eventId: 'over', notificationId: 'ntf-over', heldBy: 'quiet', scheduled: true }),
        ],
      }),
    );
    const said = (await soFar()).map(({ channel, rows, content }) => [channel, rows.length, content?.title ?? null]);
    expect(said).toEqual([
      ['desk', 2, 'While it was quiet: 2 finished'],
      ['bell', 1, null],
    ]);
    expect(await held()).toBe(3);
  });

  test('read before, of more than a thousand it is the oldest', async () => {
    const { soFar } = await holding(1_001);
    const [desk] = await soFar();
    expect([desk?.rows.length, desk?.rows[0]?.eventId, desk?.rows.at(-1)?.eventId]).toEqual([
      1_000,
      'event-0000',
      'event-0999',
    ]);
  });

  test('what happened first is told first, whenever it came', async () => {
    const { store, soFar } = await holding(2);
    const event = madeEvent({ id: 'early', at: NOON - 60_000 });
    const content = madeContent({ event, events: ['early'] });
    const own = { id: 'early', eventId: 'early', notificationId: 'ntf-early', threadKey: 'early', channel: 'desk' };
    await commitOne(
      store,
      madeDecision({
        entryId: 'early',
        events: [{ event, fingerprint: null, verdicts: [] }],
        notifications: [madeNotification({ id: 'ntf-early', eventIds: ['early'] })],
        deliveries: [
          madeDelivery({
            ...own,
            unless: 'acknowledged',
            heldBy: 'quiet',
            scheduled: true,
            createdAt: NOON + 5,
            content,
          }),
        ],
      }),
    );
    expect((await soFar())[0]?.content?.events).toEqual(['early', 'event-0000', 'event-0001']);
  });

  test('read before, it is what comes first, whatever follows it on the same channel', async () => {
    const { store, soFar } = await holding(2);
    for (const id of ['event-0000', 'event-0001']) {
      const own = { id: `step of ${id}`, eventId: id, notificationId: `ntf-${id}`, channel: 'desk', step: 1 };
      const content = madeContent({ after: 60_000 });
      await store.addDelivery(madeDelivery({ ...own, due: NOON + 60_000, scheduled: true, content }));
    }
    expect((await soFar()).map(({ content }) => content?.title)).toEqual(['While it was quiet: 2 finished']);
  });

  test('a record that an earlier version held goes out as it is', async () => {
    const { store, timer, handle, held, digests } = await holding(2, undefined, 'quiet', 'audit');
    await handle(timer);
    expect([await held(), await digests()]).toEqual([0, ['payments: finished', 'payments: finished']]);
    expect((await store.deliveries({ states: ['pending'], limit: 9 })).map(({ due }) => due)).toEqual([NOON, NOON]);
  });

  test('nothing is held: the timer ends', async () => {
    const { store, timer, handle, due, digests } = await holding(0);
    await store.setTimer(timer, NOON);
    await handle(timer);
    expect([await due('quiet'), await digests()]).toEqual([[], []]);
  });
});

describe('at a start', () => {
  test.each([
    ['quiet', [5]],
    ['outage:desk', [5]],
    ['mute:gone', [5]],
    ['group:1', [5]],
    ['storm:desk:1', [5]],
  ])('what %s holds has a timer', async (hold, expected) => {
    const { store, due } = await holding(1, undefined, hold);
    await reviewHolds(store, NOON + 5);
    expect(await due(hold)).toEqual(expected);
  });

  test('a group keeps its own time, and a mute in force its end', async () => {
    const group = await holding(1, undefined, 'group:1');
    await group.store.setTimer({ id: 'group:1', kind: 'batch', due: NOON + 99, data: {} }, NOON);
    await reviewHolds(group.store, NOON + 5);
    expect(await group.due('group:1')).toEqual([99]);
    const muted = await holding(1, undefined, 'mute:m1');
    await muted.store.putSilence({
      id: 'm1',
      until: NOON + 60_000,
      session: null,
      cwd: null,
      channel: null,
      all: false,
      createdAt: NOON,
    });
    await reviewHolds(muted.store, NOON + 5);
    expect(await muted.due('mute:m1')).toEqual([]);
  });
});
