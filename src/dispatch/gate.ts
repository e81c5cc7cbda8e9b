// The gate: the one question whether a send may go out. It alone knows mutes, quiet hours, "do not disturb", presence, the distance between
// steps, and who is exempt. Asked when a send is due, when what was held is let out, and of the time that a plan or a forecast names.
import type { ChannelProfiles } from '../model/channel/profile.ts';
import { clockTime } from '../model/time/clock-time.ts';
import type { QuietConfig } from '../model/settings/config.ts';
import type { Delivery, Only, PlannedDelivery } from '../model/delivery/delivery.ts';
import type { Event, Urgency } from '../model/event/event.ts';
import type { AskedFacts, GateVerdict } from '../model/delivery/gate.ts';
import { DO_NOT_DISTURB, isAskedFor, QUIET_HOLD, WAITS } from '../model/delivery/holds.ts';
import { type Silence, silencesInForce } from '../model/event/verdict.ts';
import { COUNTS_FROM_BEFORE, earliestOf } from './later-steps.ts';
import { judgePresence } from './presence-verdict.ts';
import { mutedBy, type MutedEvent, muteEnd, muteHold, quietSpan, quietUntil } from './silence.ts';

/** A send, planned or of the outbox. */
export interface GatedSend extends Pick<Delivery, 'channel' | 'step'> {
  /** What it tells of: the first event, or the only one, is who and where it is about. */
  readonly event: Event;
  readonly events: readonly MutedEvent[];
  readonly urgency: Urgency;
  readonly only: Only;
  /** Events that it tells of. */
  readonly count: number;
  /** Since when there is what it tells, Unix ms. */
  readonly since: number;
  /** Somebody asked for it, whatever is quiet or muted. */
  readonly isAskedFor: boolean;
  /** It was tried before. */
  readonly isTried: boolean;
  /** The row, where there is one: the distance between steps is judged by it. */
  readonly row: Delivery | null;
}

/** What is known. Of the facts that only some sends depend on, one that is missing is asked for. */
export interface GateFacts extends Partial<AskedFacts> {
  readonly silences: readonly Silence[];
  readonly quiet: QuietConfig;
  readonly profiles: ChannelProfiles;
  /** Channels that fail keep what they have to send. */
  readonly failing: ReadonlySet<string>;
  readonly home: string;
}

/** What has to be known as well. */
export interface Asks {
  readonly verdict: 'ask';
  readonly fact: keyof AskedFacts;
}

type Verdict = GateVerdict | Asks;
type Rule = (send: GatedSend, facts: GateFacts, now: number) => Verdict | null;

const ask = (fact: Asks['fact']): Asks => ({ verdict: 'ask', fact });
const isRecord = ({ channel }: GatedSend, { profiles }: GateFacts): boolean =>
  profiles.get(channel)?.audience === 'records';
/** A record gets each event at once; and so does whoever asked. */
const isExempt = (send: GatedSend, facts: GateFacts): boolean => send.isAskedFor || isRecord(send, facts);

const muted: Rule = (send, facts, now) => {
  if (isExempt(send, facts)) return null;
  const mute = mutedBy(send.events, { channel: send.channel, due: now }, facts.silences, facts.home);
  if (mute === null) return null;
  return { verdict: 'hold', by: muteHold(mute), until: mute.until, note: `muted ${muteEnd(mute)}` };
};

/** What follows a first send waits for the end of quiet hours, unless a digest of its channel is to tell the same. */
const quiet: Rule = (send, facts, now) => {
  const until = isExempt(send, facts) ? null : quietUntil(send, now, facts.quiet);
  if (until === null) return null;
  const note = `quiet hours until ${clockTime(until)}`;
  if (send.step > 0 && facts.digested === undefined) return ask('digested');
  return send.step === 0 || facts.digested === true
    ? { verdict: 'hold', by: QUIET_HOLD, until, note }
    : { verdict: 'wait', until, note };
};

/** What would be heard is asked about again after this, ms. */
const AGAIN = 30_000;

const audible: Rule = (send, facts, now) => {
  if (isExempt(send, facts) || send.urgency === 'urgent' || facts.profiles.get(send.channel)?.audible !== true)
    return null;
  if (facts.doNotDisturb === undefined) return ask('doNotDisturb');
  return facts.doNotDisturb ? { verdict: 'wait', until: now + AGAIN, note: `${WAITS}${DO_NOT_DISTURB}` } : null;
};

/** What may differ between a send that was tried and the step that counts from it, ms. */
const TOLERANCE = 1_000;

/** What was sent late, or in a digest, moves the steps that follow it; several that are overdue do not come at once. */
const spaced: Rule = ({ row, step, isTried }, facts, now) => {
  if (row === null || step === 0 || isTried || row.content.after === undefined) return null;
  if (facts.sends === undefined) return ask('sends');
  const until = earliestOf(row, facts.sends, {
    now,
    isForPeople: (channel) => facts.profiles.get(channel)?.audience === 'people',
    isFailing: (channel) => facts.failing.has(channel),
  });
  return until - now > TOLERANCE ? { verdict: 'wait', until, note: COUNTS_FROM_BEFORE } : null;
};

/** Never what is urgent, nor what was tried before. */
const person: Rule = (send, facts, now) => {
  if (send.only === 'always' || send.urgency === 'urgent' || send.isTried) return null;
  if (facts.presence === undefined) return ask('presence');
  return facts.presence === null ? null : judgePresence(send, facts.presence, now);
};

/** Of a time that is not now nothing is known but what is muted and quiet then. */
const FORESEEN: readonly Rule[] = [muted, quiet];
const RULES: readonly Rule[] = [...FORESEEN, audible, spaced, person];

const GO: GateVerdict = { verdict: 'go', note: null };

/** The first that has something to say decides. */
function firstOf(rules: readonly Rule[], send: GatedSend, facts: GateFacts, now: number): Verdict {
  for (const rule of rules) {
    const verdict = rule(send, facts, now);
    if (verdict !== null) return verdict;
  }
  return GO;
}

/** Whether a send may go out at `now`, Unix ms. Pure. */
export const gate = (send: GatedSend, facts: GateFacts, now: number): Verdict => firstOf(RULES, send, facts, now);

/** The same of a time that is named, by what is known of it now: for plans, forecasts, and what `explain` says. */
export function forecast(send: GatedSend, facts: GateFacts, at: number): GateVerdict {
  const verdict = firstOf(FORESEEN, send, { ...facts, digested: false }, at);
  return verdict.verdict === 'ask' ? GO : verdict;
}

/** Whether anything at all is muted or quiet at `now`, Unix ms. */
export function isSilentTime({ silences, quiet: hours }: Pick<GateFacts, 'silences' | 'quiet'>, now: number): boolean {
  return silencesInForce(silences, now).length > 0 || quietSpan(hours, now) !== null;
}

/** A row of the outbox, as it is asked about. */
export function gatedSend(row: Delivery): GatedSend {
  const { channel, step, content, only, createdAt, attempts, unless, threadKey } = row;
  const { event, urgency, count, members = [] } = content;
  return {
    channel,
    step,
    event,
    urgency,
    count,
    only,
    row,
    events: members.length > 0 ? members.map((member) => member.event) : [event],
    since: Math.max(event.at, createdAt),
    isAskedFor: unless === 'none' || isAskedFor(threadKey),
    isTried: attempts > 0,
  };
}

/** A send that is planned, of an event's own notification or of a batch of these. */
export function gatedPlan(
  { channel, step, only }: Pick<PlannedDelivery, 'channel' | 'step' | 'only'>,
  event: Event,
  events: readonly MutedEvent[] = [event],
): GatedSend {
  const { urgency, at } = event;
  const count = events.length;
  return {
    channel,
    step,
    event,
    events,
    urgency,
    only,
    count,
    since: at,
    isAskedFor: false,
    isTried: false,
    row: null,
  };
}
