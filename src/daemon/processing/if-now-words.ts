// The words of what would become of something that came now.
import type { GateFacts } from '../../dispatch/gate.ts';
import { quietSpan } from '../../dispatch/silence.ts';
import { FIRST_REMINDER } from '../../dispatch/escalation.ts';
import { joinAnd, oneLine } from '../../lib/text/text.ts';
import { failingWords } from '../../model/channel/failing-words.ts';
import type { Only } from '../../model/delivery/delivery.ts';
import { describeSilence } from '../../model/event/silence-words.ts';
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

/** What would be sent; `none`: why nothing is, null: something is. */
export interface IfNowPlan {
  readonly sends: readonly IfNowSend[];
  readonly none: string | null;
}

/** What else the words go by. `project`: what it is of, where that matters. */
export interface IfNowContext {
  readonly project: string | null;
  readonly health: ReadonlyMap<string, ChannelHealth>;
  readonly now: number;
}

const CONDITION: Readonly<Record<Only, string>> = {
  always: '',
  away: ' if you are away from it then',
  idle: ' if you are idle then',
};

/** "to desk at once, to phone after 2 min". */
function destinations(sends: readonly IfNowSend[], now: number): string {
  const times = new Map<string, string[]>();
  for (const { channel, at, only } of [...sends].sort((a, b) => a.at - b.at)) {
    const isNow = at - now < 1_000;
    const when = isNow ? 'at once' : `after ${formatDuration(at - now)}${CONDITION[only]}`;
    const channels = times.get(when) ?? [];
    if (!channels.includes(channel)) times.set(when, [...channels, oneLine(channel)]);
  }
  return [...times].map(([when, channels]) => `to ${joinAnd(channels)} ${when}`).join(', ');
}

/** "phone has been failing since 14:02". */
export function failingSince({ channel, reason, probeAt, since }: ChannelHealth, now: number): string {
  const name = oneLine(channel);
  if (reason === 'quota') return `${name} has its ${failingWords(reason, probeAt)}`;
  return `${name} has been failing since ${dayTime(since, now)}`;
}

function obstacle({ channel, state, until, why }: IfNowSend, { health, now }: IfNowContext): string {
  const failing = health.get(channel);
  if (state === 'failing' && failing !== undefined) return failingSince(failing, now);
  if (state === 'waits') return `${oneLine(channel)} waits: ${oneLine(why)}`;
  return `${oneLine(channel)} is held back by ${why} until ${until === null ? 'you unmute' : dayTime(until, now)}`;
}

/** What tells people of it; a reminder alone is none. */
const toPeople = ({ sends }: IfNowPlan): readonly IfNowSend[] =>
  sends.filter(({ audience, step }) => audience === 'people' && step < FIRST_REMINDER);

const goingOf = (plan: IfNowPlan): readonly IfNowSend[] => toPeople(plan).filter(({ state }) => state === 'goes');

/** Whether nothing keeps it from all of them. */
export const reaches = (plan: IfNowPlan): boolean => goingOf(plan).length > 0;

function outcomeOf(plan: IfNowPlan, context: IfNowContext): string {
  const { sends, none } = plan;
  const [people, going] = [toPeople(plan), goingOf(plan)];
  const obstacles = people.filter(({ state }) => state !== 'goes').map((send) => obstacle(send, context));
  const records = [
    ...new Set(sends.filter(({ audience }) => audience === 'records').map(({ channel }) => oneLine(channel))),
  ];
  const onlyRecords = people.length === 0 && records.length > 0 ? [`only ${joinAnd(records)} would record it`] : [];
  const why = [...new Set([...obstacles, ...onlyRecords, ...(sends.length === 0 && none !== null ? [none] : [])])];
  if (going.length > 0) return [`go ${destinations(going, context.now)}`, ...why].join('; ');
  return `reach nobody now${why.length > 0 ? `: ${why.join('; ')}` : ''}`;
}

const sentence = (subject: string, outcome: string, { project }: IfNowContext): string =>
  `${subject}${project === null ? '' : ` of ${oneLine(project)}`} would ${outcome}.`;

/** "A prompt would go to desk at once, to phone after 2 min; team has been failing since 14:02." */
export function sentenceOf(subject: string, plan: IfNowPlan, context: IfNowContext): string {
  return sentence(subject, outcomeOf(plan, context), context);
}

/** The same, to follow "If it came now:": "it would go to desk at once, to phone after 2 min." */
export function outcomeWords(plan: IfNowPlan, context: IfNowContext): string {
  const from = context.project === null ? '' : `from ${oneLine(context.project)} `;
  return `${from}it would ${outcomeOf(plan, context)}.`;
}

/** One sentence where both come to the same, else one each. */
export function sentencesOf(prompt: IfNowPlan, urgent: IfNowPlan, context: IfNowContext): string {
  const [first, second] = [outcomeOf(prompt, context), outcomeOf(urgent, context)];
  if (first === second) return sentence('A prompt or something urgent', first, context);
  return `${sentence('A prompt', first, context)} ${sentence('Something urgent', second, context)}`;
}

interface NotedFacts {
  readonly gate: GateFacts;
  readonly health: ReadonlyMap<string, ChannelHealth>;
  /** Until when the person is away, as they said, Unix ms; null: they did not. */
  readonly away: number | null;
  readonly unrouted: readonly string[];
  readonly now: number;
}

/** What is so now, whatever comes. */
export function notesOf({ gate, health, away, unrouted, now }: NotedFacts) {
  const quiet = quietSpan(gate.quiet, now);
  const urgent = gate.quiet.urgent === 'pass' ? 'what is urgent is sent all the same' : 'what is urgent waits as well';
  const about = (channel: string | null, text: string) => ({ channel, text });
  return [
    ...(away === null ? [] : [about(null, `You are away until ${dayTime(away, now)}.`)]),
    ...(quiet === null ? [] : [about(null, `Quiet hours until ${dayTime(quiet, now)}; ${urgent}.`)]),
    ...gate.silences.map((silence) => about(silence.channel, `Muted: ${oneLine(describeSilence(silence))}.`)),
    ...[...health.values()].flatMap((one) => {
      if (!gate.profiles.has(one.channel)) return [];
      if (one.state === 'failing') return [about(one.channel, `${failingSince(one, now)}.`)];
      if ((one.pausedUntil ?? 0) <= now) return [];
      return [
        about(one.channel, `${oneLine(one.channel)} takes no messages before ${dayTime(one.pausedUntil ?? 0, now)}.`),
      ];
    }),
    ...unrouted.map((name) => about(name, `No route names ${oneLine(name)}: it gets nothing.`)),
  ];
}
