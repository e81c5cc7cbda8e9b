// Two courses of the same events beside each other: how many messages each comes to, and what is different for whom.
import type { Event } from '../../model/event/event.ts';
import { isPrompt } from '../../model/event/event.ts';
import { clockTime } from '../../model/time/clock-time.ts';
import { durationSetting } from '../../model/quantities.ts';
import type { ChannelProfiles } from '../../model/channel/profile.ts';
import type { ChannelCount, PastResult, PastSend } from './past-course.ts';

/** What is different about an event, the gravest first. */
export const DIFFERENCES = ['nobody', 'records', 'later', 'away', 'fewer', 'more', 'sooner', 'other'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** One event that would have gone another way. */
export interface ChangedEvent {
  readonly event: Event;
  readonly difference: Difference;
  /** Where it goes, in words; empty: to nobody. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Of what is urgent, or of prompts: how many there were, and how many are lost, or come later than they did. */
export interface Reached {
  readonly events: number;
  readonly lost: number;
  readonly later: number;
}

/** Before and after, of one channel. */
export interface ComparedChannel {
  readonly channel: string;
  readonly audience: 'people' | 'records';
  readonly before: ChannelCount;
  readonly after: ChannelCount;
}

export interface ComparedRules {
  /** On channels that people look at. */
  readonly messages: { readonly before: ChannelCount; readonly after: ChannelCount };
  readonly channels: readonly ComparedChannel[];
  readonly urgent: Reached;
  readonly prompts: Reached;
  /** How many events would have gone another way. */
  readonly changed: number;
  /** The gravest of them, what is urgent first; newest first. */
  readonly changes: readonly ChangedEvent[];
}

/** One side: what came of the events, and what is known of its channels. */
export interface ComparedSide {
  readonly result: PastResult;
  readonly profiles: ChannelProfiles;
}

const NONE: ChannelCount = { messages: 0, onlyAway: 0, inDigests: 0 };

/** Most events that are named. */
const MOST = 100;

/** `events` in the order of their time. */
export function compareRules(events: readonly Event[], before: ComparedSide, after: ComparedSide): ComparedRules {
  const all = events.map((event) => comparedEvent(event, before, after));
  const changes = all.filter((one) => one.difference !== null);
  const ranked = changes.toSorted((a, b) => rankOf(a) - rankOf(b) || b.event.at - a.event.at).slice(0, MOST);
  const channels = comparedChannels(before, after);
  const people = channels.filter(({ audience }) => audience === 'people');
  return {
    messages: { before: sumOf(people.map((one) => one.before)), after: sumOf(people.map((one) => one.after)) },
    channels,
    urgent: reachedOf(all.filter(({ event }) => event.urgency === 'urgent')),
    prompts: reachedOf(all.filter(({ event }) => isPrompt(event))),
    changed: changes.length,
    changes: ranked.map(({ event, difference, sends }) => ({
      event,
      difference: difference ?? 'other',
      before: wordsOf(event, sends.before),
      after: wordsOf(event, sends.after),
    })),
  };
}

interface Compared {
  readonly event: Event;
  /** Null: it goes the same way. */
  readonly difference: Difference | null;
  readonly sends: Record<'before' | 'after', readonly PastSend[]>;
}

function comparedEvent(event: Event, before: ComparedSide, after: ComparedSide): Compared {
  const sends = { before: before.result.sends.get(event.id) ?? [], after: after.result.sends.get(event.id) ?? [] };
  const isSame = keysOf(sends.before) === keysOf(sends.after);
  const sides = [
    { sends: sends.before, profiles: before.profiles },
    { sends: sends.after, profiles: after.profiles },
  ] as const;
  return { event, sends, difference: isSame ? null : differenceOf(...sides) };
}

const keysOf = (sends: readonly PastSend[]): string =>
  JSON.stringify(sends.map(({ channel, step, at, only, as }) => [channel, step, at, only, as].join('\n')).sort());

interface Side {
  readonly sends: readonly PastSend[];
  readonly profiles: ChannelProfiles;
}

const toPeople = ({ sends, profiles }: Side): readonly PastSend[] =>
  sends.filter(({ channel }) => profiles.get(channel)?.audience === 'people');

function differenceOf(before: Side, after: Side): Difference {
  const [was, is] = [toPeople(before), toPeople(after)];
  if (was.length > 0 && is.length === 0) return after.sends.length === 0 ? 'nobody' : 'records';
  if (before.sends.length > 0 && after.sends.length === 0) return 'nobody';
  const first = (sends: readonly PastSend[]): number => Math.min(...sends.map(({ at }) => at));
  const sure = (sends: readonly PastSend[]): readonly PastSend[] => sends.filter(({ only }) => only === 'always');
  if (was.length > 0 && first(is) > first(was)) return 'later';
  if (sure(was).length > 0 && sure(is).length === 0) return 'away';
  // Whoever is at the machine hears of it later.
  if (sure(was).length > 0 && first(sure(is)) > first(sure(was))) return 'later';
  if (after.sends.length < before.sends.length) return 'fewer';
  if (after.sends.length > before.sends.length) return 'more';
  return is.length > 0 && first(is) < first(was) ? 'sooner' : 'other';
}

const rankOf = ({ event, difference }: Compared): number => {
  const group = event.urgency === 'urgent' ? 0 : isPrompt(event) ? 1 : 2;
  const grave = difference === 'nobody' || difference === 'records';
  return (grave ? 0 : 100) + group * 10 + DIFFERENCES.indexOf(difference ?? 'other');
};

function reachedOf(all: readonly Compared[]): Reached {
  const count = (...those: readonly Difference[]): number =>
    all.filter(({ difference }) => difference !== null && those.includes(difference)).length;
  return { events: all.length, lost: count('nobody', 'records'), later: count('later') };
}

function comparedChannels(before: ComparedSide, after: ComparedSide): readonly ComparedChannel[] {
  const names = [...new Set([...before.result.channels.keys(), ...after.result.channels.keys()])].sort();
  return names.map((channel) => ({
    channel,
    audience: (after.profiles.get(channel) ?? before.profiles.get(channel))?.audience ?? 'records',
    before: before.result.channels.get(channel) ?? NONE,
    after: after.result.channels.get(channel) ?? NONE,
  }));
}

const sumOf = (counts: readonly ChannelCount[]): ChannelCount =>
  counts.reduce(
    (sum, one) => ({
      messages: sum.messages + one.messages,
      onlyAway: sum.onlyAway + one.onlyAway,
      inDigests: sum.inDigests + one.inDigests,
    }),
    NONE,
  );

/** "desk at once", "phone after 2m", "team in a digest at ...". */
function wordsOf({ at: since }: Event, sends: readonly PastSend[]): readonly string[] {
  return sends
    .toSorted((a, b) => a.at - b.at)
    .map(({ channel, at, only, as }) => {
      const wait = at - since;
      const when = wait < 1_000 ? 'at once' : `after ${durationSetting(Math.round(wait / 1_000) * 1_000)}`;
      const how = as === 'digest' ? `in a digest, ${clockTime(at)}` : as === 'group' ? `${when}, with others` : when;
      return `${channel} ${how}${only === 'always' ? '' : `, only while ${only}`}`;
    });
}

/** "41 instead of 96 messages; none urgent lost; 2 prompts would reach nobody". */
export function comparedSentence({ messages: { before, after }, urgent, prompts, changed }: ComparedRules): string {
  const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  const away = after.onlyAway === 0 ? '' : `, ${after.onlyAway} of them only while you are away`;
  const counted =
    after.messages === before.messages
      ? `${many(after.messages, 'message')}, as now${away}`
      : `${after.messages} instead of ${many(before.messages, 'message')}${away}`;
  const parts = [
    counted,
    urgent.lost === 0 ? 'none urgent lost' : `${urgent.lost} urgent lost`,
    ...(urgent.later === 0 ? [] : [`${urgent.later} urgent later`]),
    ...(prompts.lost === 0 ? [] : [`${many(prompts.lost, 'prompt')} that nobody would see`]),
    ...(prompts.later === 0 ? [] : [`${many(prompts.later, 'prompt')} later`]),
    ...(changed === 0 ? ['nothing would go another way'] : []),
  ];
  return `${parts.join('; ')}.`;
}
