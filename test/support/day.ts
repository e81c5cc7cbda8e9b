// Random days of one person: settings and what happens, and what must hold of every one of them.
import fc from 'fast-check';
import { loadConfig } from '../../src/config/load.ts';
import { type Delivery, IN_DIGEST } from '../../src/model/delivery/delivery.ts';
import type { Event } from '../../src/model/event/event.ts';
import { threadKeyOf } from '../../src/model/ids.ts';
import type { Notification } from '../../src/model/notification/notification.ts';
import type { StoredEvent } from '../../src/store/contract.ts';
import { STEPS, stepsLost, stepsTooSoon, waitedInVain } from './day-steps.ts';
import type { Action, Got, Timeline } from './timeline.ts';
import { AUDIT, DESK, PHONE } from './people-channels.ts';
import { timersDue } from './timers.ts';

/** Seconds of the day after which nothing happens any more. */
const LENGTH = 86_400;

/** The escalation of routes that have one. */
const ESCALATE = `escalate = [{ after = "${STEPS[0]}s", to = ["phone"] }, { after = "${STEPS[1]}s", to = ["desk"] }]`;

interface RandomRoute {
  readonly match: string | null;
  readonly to: readonly string[];
  readonly delay: string | null;
  readonly when: string;
  readonly escalate: boolean;
  readonly repeat: string | null;
  readonly also: boolean;
  readonly group: boolean;
}

export interface Day {
  readonly routes: readonly RandomRoute[];
  readonly quiet: readonly string[];
  /** Seconds after the one before. */
  readonly moments: readonly { readonly after: number; readonly action: Action }[];
}

const DELAYS: Readonly<Record<string, number>> = { '0s': 0, '5s': 5_000, '30s': 30_000, '10m': 600_000 };

const CHANNELS = `${DESK}${PHONE}${AUDIT}`;
/** Channels that keep a record. */
const RECORDS: ReadonlySet<string> = new Set(['audit']);

const route: fc.Arbitrary<RandomRoute> = fc.record({
  match: fc.constantFrom(null, null, 'kind = "agent.waiting"', 'kind = "agent.finished"', 'urgency = "urgent"'),
  to: fc.subarray(['desk', 'phone', 'audit'], { minLength: 1 }),
  delay: fc.constantFrom(null, null, '5s', '30s', '10m'),
  when: fc.constantFrom('always', 'always', 'away', 'idle'),
  escalate: fc.boolean(),
  repeat: fc.constantFrom(null, null, '20m', '1h'),
  also: fc.boolean(),
  group: fc.boolean(),
});

const SESSIONS = ['a', 'b', 'c'];
const hook = (what: 'ask' | 'answer' | 'finish' | 'prompt' | 'fail' | 'end'): fc.Arbitrary<Action> =>
  fc.constantFrom(...SESSIONS).map((session): Action => `${what} ${session}`);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: hook('ask') },
  { weight: 4, arbitrary: hook('answer') },
  { weight: 5, arbitrary: hook('finish') },
  { weight: 4, arbitrary: hook('prompt') },
  { weight: 2, arbitrary: hook('fail') },
  { weight: 2, arbitrary: hook('end') },
  { weight: 3, arbitrary: fc.constantFrom<Action>('ack', 'answer elsewhere') },
  { weight: 3, arbitrary: fc.constantFrom<Action>('mute', 'mute 600', 'mute 7200', 'mute all') },
  { weight: 3, arbitrary: fc.constantFrom<Action>('unmute', 'digest') },
  { weight: 3, arbitrary: fc.constantFrom<Action>('look', 'leave', 'away 3600', 'back') },
  { weight: 2, arbitrary: fc.constant<Action>('restart') },
);
const after = fc.oneof(
  fc.integer({ min: 0, max: 10 }),
  fc.integer({ min: 10, max: 900 }),
  fc.integer({ min: 600, max: 7_200 }),
);

/** Any day. */
export const anyDay: fc.Arbitrary<Day> = fc.record({
  routes: fc.array(route, { minLength: 1, maxLength: 3 }),
  quiet: fc.constantFrom<readonly string[]>([], [], ['22:00-07:00'], ['12:30-13:30', 'sat,sun 00:00-24:00']),
  moments: fc.array(fc.record({ after, action }), { minLength: 3, maxLength: 30 }),
});

function routeText({ match, to, delay, when, escalate, repeat, also, group }: RandomRoute, groups: boolean): string {
  return [
    '[[routes]]',
    ...(match === null ? [] : [`match = { ${match} }`]),
    `to = ${JSON.stringify(to)}`,
    ...(delay === null ? [] : [`delay = "${delay}"`]),
    `when = "${when}"`,
    ...(escalate ? [ESCALATE] : []),
    ...(repeat === null ? [] : [`repeat = "${repeat}"`]),
    ...(also ? ['also = true'] : []),
    ...(groups && group ? ['group = { by = ["project"], wait = "2s", every = "1m" }'] : []),
  ].join('\n');
}

/** Whether routes of this version may group. */
export async function groupsAreThere(): Promise<boolean> {
  const grouped = {
    match: null,
    to: ['desk'],
    delay: null,
    when: 'always',
    escalate: false,
    repeat: null,
    also: false,
  };
  return (await loadConfig(`${CHANNELS}${routeText({ ...grouped, group: true }, true)}`)).ok;
}

/** A day's settings, as config.toml. */
export function settingsOf({ routes, quiet }: Day, groups: boolean): string {
  const hours = quiet.length === 0 ? '' : `[quiet]\nhours = ${JSON.stringify(quiet)}\nzone = "UTC"\n`;
  return `${CHANNELS}${routes.map((one) => routeText(one, groups)).join('\n')}\n${hours}`;
}

/** Lets the day happen, after whatever days before; resolves with what does not hold. */
export async function live(line: Timeline, day: Day, groups: boolean, number: number): Promise<readonly string[]> {
  const { harness, got } = line;
  const { store, clock } = harness;
  const loaded = await loadConfig(settingsOf(day, groups));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  harness.config = loaded.config;
  const offset = Math.ceil((clock.now() - line.began()) / 1_000);
  const from = { time: clock.now(), got: got.length };
  let second = 0;
  let leaves = Infinity;
  const go = async (to: number): Promise<void> => {
    // Nobody looks for long: what waits for it is judged every 30 s.
    if (leaves <= to) {
      await line.to(offset + leaves);
      await line.act('leave');
      leaves = Infinity;
    }
    await line.to(offset + to);
  };
  const mutes: Mute[] = [];
  for (const { after: wait, action: what } of day.moments) {
    second = Math.min(LENGTH, second + wait);
    await go(second);
    if (what === 'look') leaves = second + 300;
    if (what === 'leave') leaves = Infinity;
    await line.act(SESSIONS.includes(what.at(-1) ?? '') && what.at(-2) === ' ' ? (`${what}${number}` as Action) : what);
    if (what.startsWith('mute')) mutes.push({ from: clock.now(), all: what === 'mute all', until: Infinity });
    if (what === 'unmute') for (const mute of mutes) mute.until = Math.min(mute.until, clock.now());
  }
  await go(second + 7_200);
  const found = breachesOf({
    got: got.slice(from.got).map((one) => ({ ...one, time: line.began() + one.at * 1_000 })),
    events: (await store.events({ since: from.time, limit: 10_000 })).filter(({ event }) => event.at >= from.time),
    rows: (await store.deliveries({ since: from.time, limit: 10_000 })).filter((row) => row.createdAt >= from.time),
    notifications: await store.notifications({ limit: 10_000 }),
    day,
    seen: line.seen,
    urgentMuted: mutes.filter(({ all }) => all),
    now: clock.now(),
  });
  await endDay(line);
  return found;
}

/** Nothing of a day goes on in the next. */
async function endDay({ harness: { store, clock }, act }: Timeline): Promise<void> {
  for (const step of ['leave', 'unmute'] as const) await act(step);
  await store.setMachine(null);
  for (let i = 0; i < 200 && (await store.notifications({ states: ['open'], limit: 1 })).length > 0; i++)
    await act('ack');
  await store.transition({ from: ['pending', 'paused'] }, 'cancelled', clock.now());
  for (const { id } of await timersDue(store)) await store.clearTimer(id);
}

interface Mute {
  readonly from: number;
  until: number;
  readonly all: boolean;
}

/** What a day has left. */
interface Lived {
  readonly day: Day;
  readonly got: readonly (Got & { readonly time: number })[];
  readonly events: readonly StoredEvent[];
  readonly rows: readonly Delivery[];
  readonly notifications: readonly Notification[];
  /** When each was acknowledged first, Unix ms. */
  readonly seen: ReadonlyMap<string, number>;
  readonly urgentMuted: readonly Mute[];
  readonly now: number;
}

function breachesOf(lived: Lived): readonly string[] {
  return [
    ...sentTooLate(lived),
    ...lived.events.flatMap((stored) => unaccounted(stored, lived)),
    ...urgentLate(lived),
    ...waitedInVain(lived),
    ...stepsTooSoon(lived),
    ...lived.events.flatMap(({ event, verdicts }) =>
      escalates(event, verdicts, lived) ? stepsLost(event, lived) : [],
    ),
  ];
}

/** When a notification was resolved or acknowledged, whichever was first; null: it is open. */
function overAt({ id, resolved, acknowledged }: Notification, seen: Lived['seen']): number | null {
  const times = [resolved?.at, acknowledged?.at, seen.get(id)].filter((at) => at !== undefined);
  return times.length === 0 ? null : Math.min(...times);
}

/** Nothing is sent to people after it was resolved or acknowledged; of a digest, nothing that was. */
function sentTooLate({ got, notifications, seen }: Lived): readonly string[] {
  const byId = new Map(notifications.map((one) => [one.id, one]));
  return got
    .filter(({ operation, channel }) => operation === 'send' && !RECORDS.has(channel))
    .flatMap(({ notificationId, time, title, channel }) => {
      const notification = byId.get(notificationId);
      const over = notification === undefined ? null : overAt(notification, seen);
      return over !== null && over < time ? [`${channel} was sent "${title}" ${time - over} ms after it was over`] : [];
    });
}

/** Every event is sent, in a digest, taken back, held or suppressed, with a reason; and on no channel twice. */
function unaccounted({ event, verdicts }: StoredEvent, { got, rows, now }: Lived): readonly string[] {
  const own = rows.filter(({ content, operation }) => operation === 'send' && content.events.includes(event.id));
  if (own.length === 0) {
    const last = verdicts.at(-1);
    return last?.verdict === 'stop' && last.note !== '' ? [] : [`${event.kind} is accounted for nowhere`];
  }
  return [...new Set(own.map(({ channel }) => channel))].flatMap((channel) => {
    const there = own.filter((row) => row.channel === channel);
    const lost = there.filter((row) => !hasEnded(row, there) && !(row.state === 'pending' && row.due > now));
    const arrived = got.filter((one) => one.channel === channel && one.step === 0 && one.operation === 'send');
    const told = new Set(arrived.filter(({ events }) => events.includes(event.id)).map((one) => one.notificationId));
    // A step or a reminder that was held comes in the digest that took its place.
    const repeats = new Set(there.filter(({ step }) => step > 0).map(({ lastError }) => lastError));
    const first = [...told].filter((id) => !repeats.has(`${IN_DIGEST}${id}`));
    return [
      ...lost.map(({ state, step }) => `${event.kind} is ${state} at step ${step} on ${channel} without a reason`),
      ...(first.length > 1 ? [`${event.kind} arrived ${first.length} times on ${channel}`] : []),
    ];
  });
}

/** Sent; replaced by something that is there too; or taken back, which its reason or its notification says. */
function hasEnded(row: Delivery, there: readonly Delivery[]): boolean {
  if (row.state === 'sent' || row.state === 'cancelled') return true;
  return (
    row.state === 'superseded' && (row.lastError !== null || there.some(({ revision }) => revision > row.revision))
  );
}

/** Whether the routes that an event takes escalate it, and no channel got it in another form. */
function escalates({ kind, urgency }: Event, verdicts: StoredEvent['verdicts'], { day }: Lived): boolean {
  if (verdicts.some(({ note }) => note.includes(', except on '))) return false;
  for (const { match, escalate, also } of day.routes) {
    if (match !== null && !match.includes(`"${kind}"`) && !match.includes(`"${urgency}"`)) continue;
    if (escalate) return true;
    if (!also) return false;
  }
  return false;
}

/** After what time a channel gets an urgent event at the latest, ms, by the routes alone; null: never. */
function delayOf({ kind }: Event, channel: string, routes: readonly RandomRoute[]): number | null {
  const delays: number[] = [];
  for (const { match, to, delay, also } of routes) {
    if (match !== null && !match.includes('urgency') && !match.includes(kind)) continue;
    if (to.includes(channel)) delays.push(DELAYS[delay ?? '0s'] ?? 0);
    if (!also) break;
  }
  return delays.length === 0 ? null : Math.min(...delays);
}

/** What is urgent arrives when its route says, unless it was over by then or urgent ones are muted too. */
function urgentLate({ day, got, events, rows, notifications, seen, urgentMuted }: Lived): readonly string[] {
  const byId = new Map(notifications.map((one) => [one.id, one]));
  return events.flatMap(({ event }) => {
    if (event.urgency !== 'urgent') return [];
    const own = rows.filter(
      ({ eventId, operation, step, threadKey }) =>
        eventId === event.id && operation === 'send' && step === 0 && threadKey === threadKeyOf(event),
    );
    return own.flatMap(({ channel, notificationId, state }) => {
      const delay = delayOf(event, channel, day.routes);
      if (delay === null) return [`urgent: no route names ${channel}`];
      const expected = event.at + delay;
      if (urgentMuted.some(({ from, until }) => from <= expected && until >= event.at)) return [];
      const arrived = got.find(
        (one) => one.channel === channel && one.notificationId === notificationId && one.step === 0,
      );
      if (arrived !== undefined)
        return arrived.time - expected > 1_000 ? [`urgent: ${arrived.time - expected} ms late on ${channel}`] : [];
      const notification = byId.get(notificationId);
      const over = notification === undefined ? null : overAt(notification, seen);
      return over !== null && over <= expected ? [] : [`urgent: nothing on ${channel}, it is ${state}`];
    });
  });
}
