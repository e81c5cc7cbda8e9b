// `mute` and `unmute`: silences, kept in the store.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { EXIT, UserError } from '../../model/errors.ts';
import { LONGEST_DURATION } from '../../model/quantities.ts';
import type { Silence } from '../../model/event/verdict.ts';
import { muteHold } from '../../dispatch/silence.ts';
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

/** Replies with a description of the silence. */
export const mute: CommandHandler = async (given, parts) => {
  const { ms, all, session, cwd, channel, reason } = parseArgs(muteSchema, given);
  if (channel !== null) assertMutable(channel, parts);
  const now = parts.clock.now();
  const silence: Silence = {
    id: randomUUID(),
    until: ms === null ? null : now + ms,
    session,
    cwd,
    channel,
    all,
    createdAt: now,
    reason,
  };
  await parts.store.putSilence(silence);
  return {
    id: silence.id,
    until: silence.until === null ? null : new Date(silence.until).toISOString(),
    text: describeSilence(silence),
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
