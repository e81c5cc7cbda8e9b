// The words of what would become of something that came now.
import type { GateFacts } from '../../dispatch/gate.ts';
import { quietSpan } from '../../dispatch/silence.ts';
import { FIRST_REMINDER } from '../../dispatch/escalation.ts';
import { joinAnd, oneLine } from '../../lib/text/text.ts';
import type { Delivery, Only } from '../../model/delivery/delivery.ts';
import { mutedWhat } from '../../model/event/silence-words.ts';
import type { Silence } from '../../model/event/verdict.ts';
import { formatDuration } from '../../model/quantities.ts';
import { dayTime } from '../../model/time/clock-time.ts';
import type { ChannelHealth } from '../../store/contract.ts';

/** One message that would go to a channel, or what keeps it from there. */
export interface IfNowSend {
  readonly channel: string;
  /** 0: the first; later ones are escalations, from 100 reminders. */
  readonly step: number;
  /** Whether people look at it, or it keeps a record. */
  readonly audience: 'people' | 'records';
  readonly only: Only;
  /** When it is due, Unix ms. */
  readonly at: number;
  /** waits: for its person to leave, or for "do not disturb" to end. */
  readonly state: 'goes' | 'held' | 'waits' | 'failing';
  /** Unix ms: the end of that, or when it is asked or tried again; null: nobody knows. */
  readonly until: number | null;
  /** What keeps it; empty: nothing. */
  readonly why: string;
}

/** What {@link IfNowSend.why} says of quiet hours and mutes. */
export const QUIET = 'quiet hours';
export const MUTE = 'a mute';
/** The same of a channel that did not take its last message, and is not known to fail. */
export const REFUSED = 'it did not take its last message';

/** What would be sent; `none`: why nothing is, null: something is. */
export interface IfNowPlan {
  readonly sends: readonly IfNowSend[];
  readonly none: string | null;
}

/** What else the words go by. `from`: which agent it is taken to come from, and where, as people call them; null: that does not matter. */
export interface IfNowContext {
  readonly from: string | null;
  readonly health: ReadonlyMap<string, ChannelHealth>;
  readonly now: number;
}

const CONDITION: Readonly<Record<Only, string>> = {
  always: '',
  away: ', if you are away by then',
  idle: ', if you are idle by then',
};

/** "to desk at once and to phone after 2 min". */
function destinations(sends: readonly IfNowSend[], now: number): string {
  const times = new Map<string, string[]>();
  for (const { channel, at, only } of [...sends].sort((a, b) => a.at - b.at)) {
    const isNow = at - now < 1_000;
    const when = isNow ? 'at once' : `after ${formatDuration(at - now)}${CONDITION[only]}`;
    const channels = times.get(when) ?? [];
    if (!channels.includes(channel)) times.set(when, [...channels, oneLine(channel)]);
  }
  return joinAnd([...times].map(([when, channels]) => `to ${joinAnd(channels)} ${when}`));
}

/** What is said of one channel, and of several. */
type Words = readonly [one: string, several: string];

const has = (what: string): Words => [`has ${what}`, `have ${what}`];

/** "has been failing since 14:02". */
function failing({ reason, probeAt, since }: ChannelHealth, now: number): Words {
  if (reason !== 'quota') return has(`been failing since ${dayTime(since, now)}`);
  return has(`no quota left${probeAt === null ? '' : ` until ${dayTime(probeAt, now)}`}`);
}

/** What keeps it from its channel. */
function obstacle({ channel, state, until, why }: IfNowSend, { health, now }: IfNowContext): Words {
  const known = health.get(channel);
  if (state === 'failing' && known !== undefined) return failing(known, now);
  if (why === REFUSED) return ['did not take its last message', 'did not take their last message'];
  if (why === QUIET && until !== null) return has(`quiet hours until ${dayTime(until, now)}`);
  if (state === 'waits') return [`waits (${oneLine(why)})`, `wait (${oneLine(why)})`];
  if (until === null) return ['is muted until you unmute it', 'are muted until you unmute them'];
  return [`is muted until ${dayTime(until, now)}`, `are muted until ${dayTime(until, now)}`];
}

/** "desk and team have quiet hours until 07:00", "phone has been failing since 14:02". */
function obstacles(kept: readonly IfNowSend[], context: IfNowContext): readonly string[] {
  const alike = new Map<string, { readonly words: Words; readonly channels: Set<string> }>();
  for (const send of kept) {
    const words = obstacle(send, context);
    const { channels } = alike.get(words[0]) ?? { channels: new Set() };
    alike.set(words[0], { words, channels: channels.add(oneLine(send.channel)) });
  }
  return [...alike.values()].map(
    ({ words: [one, several], channels }) => `${joinAnd([...channels])} ${channels.size > 1 ? several : one}`,
  );
}

/** What tells people of it; a reminder alone is none. */
const toPeople = ({ sends }: IfNowPlan): readonly IfNowSend[] =>
  sends.filter(({ audience, step }) => audience === 'people' && step < FIRST_REMINDER);

const goingOf = (plan: IfNowPlan): readonly IfNowSend[] => toPeople(plan).filter(({ state }) => state === 'goes');

/** Whether nothing keeps it from all of them. */
export const reaches = (plan: IfNowPlan): boolean => goingOf(plan).length > 0;

/** What keeps it from these although that is nobody's wish, where it goes elsewhere: said before anything else. */
function troubleOf(plans: readonly IfNowPlan[], context: IfNowContext): readonly string[] {
  const failing = plans
    .filter(reaches)
    .flatMap(toPeople)
    .filter(({ state }) => state === 'failing');
  return obstacles(failing, context);
}

function outcomeOf(plan: IfNowPlan, context: IfNowContext): string {
  const { sends, none } = plan;
  const [people, going] = [toPeople(plan), goingOf(plan)];
  const kept = people.filter(({ state }) => state !== 'goes' && (going.length === 0 || state !== 'failing'));
  const records = [
    ...new Set(sends.filter(({ audience }) => audience === 'records').map(({ channel }) => oneLine(channel))),
  ];
  const onlyRecords = people.length === 0 && records.length > 0 ? [`only ${joinAnd(records)} would record it`] : [];
  const nothing = sends.length === 0 && none !== null ? [none] : [];
  const why = [...obstacles(kept, context), ...onlyRecords, ...nothing];
  if (going.length > 0) return [`go ${destinations(going, context.now)}`, ...why].join('; ');
  return `reach nobody${why.length > 0 ? `: ${why.join('; ')}` : ''}`;
}

const sentence = (subject: string, outcome: string, { from }: IfNowContext): string =>
  `${subject}${from === null ? '' : ` from ${oneLine(from)}`} would ${outcome}.`;

/** Sentences, after one of what is in trouble. */
const afterTrouble = (trouble: readonly string[], ...sentences: readonly string[]): string =>
  [...(trouble.length === 0 ? [] : [`${trouble.join('; ')}.`]), ...sentences].join(' ');

/** "team has been failing since 14:02. A prompt from Claude in shop would go to desk at once and to phone after 2 min." */
export function sentenceOf(subject: string, plan: IfNowPlan, context: IfNowContext): string {
  return afterTrouble(troubleOf([plan], context), sentence(subject, outcomeOf(plan, context), context));
}

/** The same, to follow "If it came now:": "team has been failing since 14:02; from Claude in shop, it would go to desk at once." */
export function outcomeWords(plan: IfNowPlan, context: IfNowContext): string {
  const from = context.from === null ? '' : `from ${oneLine(context.from)}, `;
  return [...troubleOf([plan], context), `${from}it would ${outcomeOf(plan, context)}.`].join('; ');
}

/** One sentence where both come to the same, else one each; trouble of either comes first, once. */
export function sentencesOf(prompt: IfNowPlan, urgent: IfNowPlan, context: IfNowContext): string {
  const trouble = troubleOf([prompt, urgent], context);
  const [first, second] = [outcomeOf(prompt, context), outcomeOf(urgent, context)];
  if (first === second) return afterTrouble(trouble, sentence('A prompt or something urgent', first, context));
  return afterTrouble(trouble, sentence('A prompt', first, context), sentence('Something urgent', second, context));
}

interface NotedFacts {
  readonly gate: GateFacts;
  readonly health: ReadonlyMap<string, ChannelHealth>;
  /** Until when the person is away, as they said, Unix ms; null: they did not. */
  readonly away: number | null;
  readonly unrouted: readonly string[];
  /** The last messages of channels that did not take theirs. */
  readonly refused: readonly Pick<Delivery, 'channel' | 'updatedAt' | 'lastError'>[];
  readonly now: number;
}

/** "Muted until tomorrow 07:00: channel phone; urgent events still come through." */
function mutedWords(silence: Silence, now: number): string {
  const end = silence.until === null ? 'you unmute' : dayTime(silence.until, now);
  return `Muted until ${end}: ${oneLine(mutedWhat(silence))}.`;
}

/** What is so now, whatever comes: trouble first. */
export function notesOf({ gate, health, away, unrouted, refused, now }: NotedFacts) {
  const quiet = quietSpan(gate.quiet, now);
  const urgent = gate.quiet.urgent === 'pass' ? 'what is urgent is sent all the same' : 'what is urgent waits as well';
  const about = (channel: string | null, text: string) => ({ channel, text });
  const troubled = [...health.values()].flatMap((one) => {
    if (!gate.profiles.has(one.channel)) return [];
    if (one.state === 'failing') return [about(one.channel, `${oneLine(one.channel)} ${failing(one, now)[0]}.`)];
    if ((one.pausedUntil ?? 0) <= now) return [];
    return [
      about(one.channel, `${oneLine(one.channel)} takes no messages before ${dayTime(one.pausedUntil ?? 0, now)}.`),
    ];
  });
  return [
    ...troubled,
    ...refused.flatMap(({ channel, updatedAt, lastError }) =>
      health.get(channel)?.state === 'failing'
        ? []
        : [
            about(
              channel,
              `${oneLine(channel)} did not take its last message (${dayTime(updatedAt, now)}): ${oneLine(lastError ?? 'no reason is known')}`,
            ),
          ],
    ),
    ...(away === null ? [] : [about(null, `You are away until ${dayTime(away, now)}.`)]),
    ...(quiet === null ? [] : [about(null, `Quiet hours until ${dayTime(quiet, now)}; ${urgent}.`)]),
    ...gate.silences.map((silence) => about(silence.channel, mutedWords(silence, now))),
    ...unrouted.map((name) => about(name, `No route names ${oneLine(name)}: it gets nothing.`)),
  ];
}
