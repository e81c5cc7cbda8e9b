// Why somebody was or was not notified, as a list in plain words: from what happened, through the route, to each channel and what is still to come.
import { FIRST_REMINDER } from '../../dispatch/escalation.ts';
import { joinAnd, oneLine } from '../../lib/text/text.ts';
import { type Attempt, type Delivery, IN_DIGEST, IN_GROUP } from '../../model/delivery/delivery.ts';
import { DO_NOT_DISTURB, holderWords, isGroupHold, WAITS } from '../../model/delivery/holds.ts';
import { plainRoutes, stopWords } from '../../model/event/event-outcome.ts';
import type { Verdict } from '../../model/event/verdict.ts';
import type { Notification } from '../../model/notification/notification.ts';
import { resolutionOf } from '../../model/notification/resolution.ts';
import { formatDuration } from '../../model/quantities.ts';
import { atDayTime, dayTime } from '../../model/time/clock-time.ts';
import type { Match } from '../../model/settings/config.ts';
import type { RouteTrace } from '../../pipeline/index.ts';
import { onlyForWords } from './route-words.ts';

/** One line of the list. */
export interface WhyRow {
  /** Unix ms; null: at no time, as of a channel that gets nothing. */
  readonly at: number | null;
  /** Null: it is about no channel. */
  readonly channel: string | null;
  /** happened: the event, its routes, its end. got: the channel has it. next: is still to come. not: the channel has it not. */
  readonly what: 'happened' | 'got' | 'next' | 'not';
  /** A sentence. */
  readonly text: string;
}

/** A delivery with what was tried. */
export interface Tried {
  readonly delivery: Delivery;
  readonly attempts: readonly Attempt[];
}

/** What is known of an event and what became of it. */
export interface WhyFacts {
  readonly title: string;
  /** Unix ms. */
  readonly at: number;
  readonly verdicts: readonly Verdict[];
  readonly notifications: readonly Notification[];
  readonly tried: readonly Tried[];
  /** What became of its session, if that failed: that it went on, or did not. */
  readonly outcomes: readonly { readonly at: number; readonly title: string }[];
  /** When Belfry lets that go on, Unix ms; null: that is not planned. */
  readonly continuesAt: number | null;
  /** Names of the configured channels. */
  readonly channels: readonly string[];
  /** The routes of the settings in force, each with what it matches. */
  readonly routes: readonly (RouteTrace & { readonly match: Match })[];
  readonly now: number;
}

/** A channel's name stays as it is written. */
function sentence(text: string, channel: string | null = null): string {
  const line = oneLine(text);
  const first = channel === null ? line.slice(0, 1).toUpperCase() : line.slice(0, 1);
  return `${first}${line.slice(1)}${/[.!?…]$/.test(line) ? '' : '.'}`;
}

/** What a step is, for people. */
function stepWords({ step, content }: Delivery): string {
  if (step >= FIRST_REMINDER) return 'a reminder';
  if (step > 0) return `it, since nobody had reacted for ${formatDuration(content.after ?? 0)}`;
  return content.count > 1 ? `it, with ${content.count - 1} more in one message` : 'it';
}

const CONDITION = {
  always: '',
  away: ', if you are away from that session then',
  idle: ', if you are idle then',
} as const;

/** What is still to come. */
function nextWords({ delivery, attempts }: Tried, now: number): string {
  const { channel, step, due, heldBy, only, unless, lastError, content } = delivery;
  const when = atDayTime(due, now);
  if (heldBy !== null && isGroupHold(heldBy)) return `${channel} gets it ${when}, together with others`;
  if (heldBy !== null) return `${channel}: held back by ${holderWords(heldBy)}, comes in a digest ${when}`;
  const failed = attempts.at(-1);
  if (failed !== undefined && !failed.ok) return `${channel}: tried again ${when}`;
  if (lastError?.startsWith(WAITS)) {
    const why = lastError.slice(WAITS.length);
    const asks = only === 'idle' ? 'you are idle' : 'you are away from that session';
    const because = why === DO_NOT_DISTURB ? `: ${why}` : `, as its route sends only while ${asks}: ${why}`;
    return `${channel} waits${because}; looked at again ${when}`;
  }
  const open = unless === 'none' ? '' : unless === 'resolved' ? ', if it is still open' : ', unless somebody reacts';
  if (step >= FIRST_REMINDER) return `${channel} gets a reminder ${when}${open}${CONDITION[only]}`;
  if (step > 0)
    return `${channel} gets it ${when}, ${formatDuration(content.after ?? 0)} after the first message${open}${CONDITION[only]}`;
  return due <= now ? `${channel} gets it now` : `${channel} gets it ${when}${open}${CONDITION[only]}`;
}

/** Why a receiver did not take it. */
const faultOf = ({ error, reason }: Attempt): string => error ?? reason ?? 'an error';

/** Why it was taken back: what the row says, else how its notification ended. */
function takenBack({ delivery }: Tried, notifications: readonly Notification[]): string {
  const { lastError, notificationId } = delivery;
  if (lastError?.startsWith('seen: ')) return `you had seen it: ${lastError.slice('seen: '.length)}`;
  const over = notifications.find(({ id }) => id === notificationId);
  const why = over === undefined ? null : resolutionOf(over)?.why;
  return why ?? lastError ?? 'nobody needed it any more';
}

const CHANGED = { update: 'The message was changed on', retract: 'The message was removed from' } as const;

/** What became of one delivery, and of its attempts that failed; none: a later one says it. */
function rowsOf(one: Tried, { notifications, now }: WhyFacts): readonly WhyRow[] {
  const { delivery, attempts } = one;
  const { channel, operation, state, updatedAt, due, lastError, lastReason } = delivery;
  const row = (what: WhyRow['what'], at: number | null, text: string): WhyRow => ({
    at,
    channel,
    what,
    text: sentence(text, operation === 'send' ? channel : null),
  });
  const faults = attempts.filter(({ ok }) => !ok);
  // The same fault is said once.
  const failed = faults.map((attempt, index) => {
    const before = faults[index - 1];
    const isSame = before !== undefined && faultOf(before) === faultOf(attempt);
    return row('not', attempt.at, `${channel} did not take it${isSame ? ', as before' : `: ${faultOf(attempt)}`}`);
  });
  const fault = lastError ?? lastReason;
  const isSaid = (said: Attempt | undefined): boolean => said !== undefined && faultOf(said) === fault;
  if (operation !== 'send')
    return state === 'sent' ? [row('happened', updatedAt, `${CHANGED[operation]} ${channel}`)] : [];
  switch (state) {
    case 'sent': {
      const at = attempts.findLast(({ ok }) => ok)?.at ?? updatedAt;
      return [...failed, row('got', at, `${channel} got ${stepWords(delivery)}`)];
    }
    case 'leased':
      return [...failed, row('next', now, `${channel} is being sent ${stepWords(delivery)}`)];
    case 'pending':
      return [...failed, row('next', due, nextWords(one, now))];
    case 'paused':
      return [
        ...failed,
        row(
          'next',
          null,
          `${channel} gets it once it works again${isSaid(faults.at(-1)) ? '' : `: ${fault ?? 'it is failing'}`}`,
        ),
      ];
    case 'dead':
      // The reason of the last attempt is the row's own.
      return [
        ...failed.slice(0, -1),
        row(
          'not',
          updatedAt,
          `${channel} did not get ${stepWords(delivery)}: given up${isSaid(faults.at(-2)) ? '' : `, ${lastError ?? 'it could not be sent'}`}`,
        ),
      ];
    case 'superseded': {
      const isMember = lastError?.startsWith(IN_DIGEST) || lastError?.startsWith(IN_GROUP);
      return isMember
        ? failed
        : [
            ...failed,
            row('not', updatedAt, `${channel} did not get ${stepWords(delivery)}: a later message took its place`),
          ];
    }
    case 'cancelled':
      return [
        ...failed,
        row('not', updatedAt, `${channel} did not get ${stepWords(delivery)}: ${takenBack(one, notifications)}`),
      ];
  }
}

/** Why the routes give a channel nothing of it. */
function unroutedWords(channel: string, { routes, verdicts }: WhyFacts): string {
  const naming = routes.filter(({ to, later }) => to.includes(channel) || later.includes(channel));
  if (naming.length === 0) return 'no route names it';
  const taking = naming.find(({ matches, reached }) => matches && reached);
  const repeat = repeatOf(verdicts);
  if (taking !== undefined && repeat !== null) return repeat;
  if (taking !== undefined) return `route ${taking.route} names it now, but did not when this came`;
  const behind = naming.find(({ matches }) => matches);
  const first = routes.find(({ matches, reached, also }) => matches && reached && !also);
  if (behind !== undefined && first !== undefined)
    return `route ${behind.route} would send it there, but route ${first.route} takes it before and ends the search`;
  return naming.map(({ route, match, misses }) => onlyForWords(route, match, misses)).join('; ');
}

/** What kept it from everybody before any route was asked, or that none took it; null: nothing did. */
function stopOf(verdicts: readonly Verdict[]): Verdict | null {
  const isRouted = verdicts.some(({ verdict }) => verdict === 'route');
  return isRouted ? null : (verdicts.findLast(({ verdict }) => verdict === 'stop') ?? null);
}

/** What it had in another form, so that the same was not sent there again; null: nothing. */
const repeatOf = (verdicts: readonly Verdict[]): string | null =>
  verdicts.find(({ stage, verdict }) => verdict === 'change' && (stage === 'correlate' || stage === 'dedupe'))?.note ??
  null;

/** Where the route led: "It goes to desk and audit by route 1". */
function routeRow({ verdicts, at, notifications }: WhyFacts): readonly WhyRow[] {
  const row = (text: string): WhyRow => ({ at, channel: null, what: 'happened', text: sentence(text) });
  const routed = verdicts.filter(({ stage, verdict }) => stage === 'route' && verdict === 'route');
  const stop = stopOf(verdicts);
  if (routed.length === 0) {
    if (stop === null || notifications.length > 0) return [];
    return [
      row(
        stop.stage === 'route'
          ? `nobody was to be notified: ${stopWords(stop)}`
          : `nobody was notified: ${stopWords(stop)}`,
      ),
    ];
  }
  return routed.map(({ note }) => {
    const cut = note.indexOf(': ');
    const [channels, by] = cut < 0 ? [note, ''] : [note.slice(0, cut), plainRoutes(note.slice(cut + 2))];
    return row(`it goes to ${joinAnd(channels.split(', '))}${by.includes('route') ? ` by ${by}` : ''}`);
  });
}

/** How it ended, by itself; what a group or a digest came to is no end of this. */
function endRows({ notifications }: WhyFacts): readonly WhyRow[] {
  return notifications.flatMap((one) => {
    const over = one.group === undefined ? resolutionOf(one) : null;
    return over === null ? [] : [{ at: over.at, channel: null, what: 'happened', text: sentence(over.why) } as const];
  });
}

/** "what follows was put off for 10 min by Ada through page, until tomorrow 00:05". */
const putOffWords = ({ note, until }: Verdict, now: number): string =>
  until === undefined ? note : `${note}, until ${dayTime(until, now)}`;

function goOnRows({ outcomes, continuesAt, now }: WhyFacts): readonly WhyRow[] {
  const rows = outcomes.map(
    ({ at, title }): WhyRow => ({ at, channel: null, what: 'happened', text: sentence(title, '') }),
  );
  if (continuesAt === null) return rows;
  const text = sentence(`Belfry continues it ${atDayTime(continuesAt, now)}`);
  return [...rows, { at: continuesAt, channel: null, what: 'next', text }];
}

/** The list: what happened in the order of time, then what is still to come, then the channels that get nothing. */
export function whyRows(facts: WhyFacts): readonly WhyRow[] {
  const { title, at, verdicts, tried, channels, now } = facts;
  const event: WhyRow = { at, channel: null, what: 'happened', text: sentence(title, '') };
  const putOff = verdicts
    .filter(({ stage }) => stage === 'postpone')
    .map(
      (verdict): WhyRow => ({
        at: verdict.at ?? null,
        channel: null,
        what: 'happened',
        text: sentence(putOffWords(verdict, now)),
      }),
    );
  const grouped = verdicts
    .filter(({ stage, verdict }) => stage === 'group' && verdict === 'change')
    .map(({ note }): WhyRow => ({ at, channel: null, what: 'happened', text: sentence(`sent together: ${note}`) }));
  const rows = [...putOff, ...tried.flatMap((one) => rowsOf(one, facts)), ...endRows(facts), ...goOnRows(facts)];
  const order = (row: WhyRow): number => row.at ?? Infinity;
  const sorted = rows.toSorted((a, b) => order(a) - order(b));
  const reached = new Set(rows.map(({ channel }) => channel));
  const stop = stopOf(verdicts);
  const silent = channels
    .filter((channel) => !reached.has(channel))
    .map((channel): WhyRow => {
      const why = stop !== null && stop.stage !== 'route' ? stop.note : unroutedWords(channel, facts);
      return { at: null, channel, what: 'not', text: sentence(`${channel} did not get it: ${why}`, channel) };
    });
  const past = sorted.filter(({ what }) => what !== 'next');
  return [event, ...routeRow(facts), ...grouped, ...past, ...sorted.filter(({ what }) => what === 'next'), ...silent];
}
