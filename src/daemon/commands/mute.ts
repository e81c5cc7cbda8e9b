// `mute` and `unmute`: silences, kept in the store.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { EXIT, UserError } from '../../model/errors.ts';
import { LONGEST_DURATION } from '../../model/quantities.ts';
import type { Silence } from '../../model/event/verdict.ts';
import { longest, muteEnd, muteHold } from '../../dispatch/silence.ts';
import { releaseTimer } from '../../pipeline/index.ts';
import { channelProfiles } from '../channels/channel-profiles.ts';
import { describeSilence } from '../../model/event/silence-words.ts';
import { type CommandContext, type CommandHandler, assertChannels, parseArgs } from './context.ts';

const scope = z.object({
  session: z.string().nullable().default(null),
  cwd: z.string().nullable().default(null),
  channel: z.string().nullable().default(null),
});
/** Which silences end. */
const endSchema = scope.extend({ id: z.string().nullable().default(null) });
const muteSchema = scope.extend({
  ms: z.number().positive().max(LONGEST_DURATION).nullable().default(null),
  all: z.boolean().default(false),
  reason: z.string().max(200).nullable().default(null),
});

/** Refuses a channel that is not there, and one that keeps a record: a mute of it would hold nothing. */
function assertMutable(channel: string, parts: CommandContext): void {
  assertChannels([channel], parts);
  if (channelProfiles(parts.liveConfig.config()).get(channel)?.audience !== 'records') return;
  const message = `${channel} keeps a record: it gets each event at once, so it cannot be muted; take it out of the route instead`;
  throw new UserError(message, EXIT.usage);
}

/** Channels that keep a record, and so get each event all the same. */
const recordsOf = ({ liveConfig }: CommandContext): readonly string[] =>
  [...channelProfiles(liveConfig.config())].flatMap(([name, { audience }]) => (audience === 'records' ? [name] : []));

type Subject = Pick<Silence, 'session' | 'cwd' | 'channel'>;

/** Of the same session, folder and channel; a mute of everything has none of them. */
const isOfSame = (one: Subject, other: Subject): boolean =>
  one.session === other.session && one.cwd === other.cwd && one.channel === other.channel;

/** Whether `wide` mutes all that `silence` does, and for longer. */
function outlasts(wide: Silence, silence: Silence): boolean {
  const isWider = (['session', 'cwd', 'channel'] as const).every(
    (key) => wide[key] === null || wide[key] === silence[key],
  );
  const isLonger = silence.until !== null && (wide.until === null || wide.until > silence.until);
  return isWider && isLonger && (wide.all || !silence.all);
}

/** Takes the place of the mutes of the same subject. Replies with a description of the silence, and of those that mute the same for longer. */
export const mute: CommandHandler = async (given, parts) => {
  const { ms, all, session, cwd, channel, reason } = parseArgs(muteSchema, given);
  if (channel !== null) assertMutable(channel, parts);
  const { store } = parts;
  const now = parts.clock.now();
  const inForce = await store.silences(now);
  const replaced = inForce.filter((one) => isOfSame(one, { session, cwd, channel }));
  const [kept, ...others] = replaced;
  const silence: Silence = {
    id: kept?.id ?? randomUUID(),
    until: ms === null ? null : now + ms,
    session,
    cwd,
    channel,
    all,
    createdAt: now,
    reason,
  };
  await store.putSilence(silence);
  for (const { id } of others) await store.removeSilences({ id });
  // What they hold is judged again: it waits for the new end, or goes out.
  for (const one of replaced) await store.setTimer(releaseTimer(muteHold(one), now), now);
  if (replaced.length > 0) parts.wakeTimers();
  const before = longest(replaced);
  return {
    id: silence.id,
    until: silence.until === null ? null : new Date(silence.until).toISOString(),
    text: describeSilence(silence),
    before: before === undefined ? null : muteEnd(before),
    longer: inForce.filter((one) => !replaced.includes(one) && outlasts(one, silence)).map(describeSilence),
    records: channel === null ? recordsOf(parts) : [],
  };
};

/** Without a scope every silence ends. Replies with how many. */
export const unmute: CommandHandler = async (given, { store, clock, wakeTimers }) => {
  const args = parseArgs(endSchema, given);
  const wanted = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
  const now = clock.now();
  const ended = (await store.silences(now)).filter(({ id, session, cwd, channel }) =>
    Object.entries(wanted).every(([key, value]) => ({ id, session, cwd, channel })[key as keyof typeof args] === value),
  );
  const removed = await store.removeSilences(wanted);
  // What they held back comes as a digest; one that held nothing clears its timer.
  for (const silence of ended) await store.setTimer(releaseTimer(muteHold(silence), now), now);
  wakeTimers();
  return { removed };
};
