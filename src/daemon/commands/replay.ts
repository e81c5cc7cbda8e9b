// `replay`: delivers again, one event or delivery, or all dead letters.
import * as z from 'zod';
import { removedReason } from '../../delivery/index.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import { type CommandHandler, type CommandContext, parseArgs } from './context.ts';
import { waitForNextAttempt, toResult } from './wait-for-attempt.ts';
import { agentByName } from '../../agents/index.ts';
import { immediateSends, reach } from '../../pipeline/index.ts';
import type { StoredEvent } from '../../store/contract.ts';
import { buildDeliveries } from '../../decisions/new-rows.ts';
import { channelProfiles } from '../channels/channel-profiles.ts';
import { redactorFor } from '../shared/redactor-for.ts';

const schema = z.union([z.object({ id: z.string() }), z.object({ dead: z.literal(true) })]);
/** Most dead letters sent again at once. */
const MAX_LETTERS = 10_000;

/** Answers with the deliveries that go out and how this attempt ended, and those whose channel was removed. */
export const replay: CommandHandler = async (given, parts) => {
  const args = parseArgs(schema, given);
  const { existing, muted } =
    'id' in args
      ? await ofId(args.id, parts)
      : { existing: await parts.store.deliveries({ states: ['dead'], limit: MAX_LETTERS }), muted: [] };
  const before = new Map(existing.map((delivery) => [delivery.id, delivery.attempts]));
  const { ids, inProgress, removed } = await parts.deliveries.replay(existing);
  for (const delivery of muted) await parts.store.addDelivery(delivery);
  parts.deliveries.wake(muted.map(({ channel }) => channel));
  const all = [...ids, ...muted.map(({ id }) => id)];
  const replayed = await waitForNextAttempt(parts, all, (id) => before.get(id) ?? 0);
  const skipped = removed.map((delivery) => ({
    ...toResult(delivery),
    state: 'dead',
    reason: 'invalid-config',
    error: removedReason(delivery.channel),
  }));
  return { in_progress: inProgress, replayed: [...replayed, ...skipped] };
};

interface Found {
  readonly existing: readonly Delivery[];
  /** Not written yet: what a mute kept back. */
  readonly muted: readonly Delivery[];
}

async function ofId(id: string, parts: CommandContext): Promise<Found> {
  const { store } = parts;
  const stored = await store.event(id);
  const which = stored ? ({ eventId: id, operations: ['send'] } as const) : { ids: [id] };
  const found = await store.deliveries({ ...which, limit: MAX_LETTERS });
  // An event is what was sent first, not what was to follow.
  const existing = stored ? found.filter(({ step }) => step === 0) : found;
  const muted = stored ? mutedDeliveries(stored, existing, parts) : [];
  if (existing.length > 0 || muted.length > 0) return { existing, muted };
  const why = stored ? 'it was not sent to anyone, so there is nothing to replay' : 'no event or delivery has this id';
  throw new UserError(`${why}: see \`belfry why ${id}\``, EXIT.notFound);
}

/** Deliveries, not written yet, to the channels that a mute kept this event from. `existing`: those of the event. None: no mute did. */
function mutedDeliveries(
  { event, verdicts }: StoredEvent,
  existing: readonly Delivery[],
  { liveConfig, clock, home }: Pick<CommandContext, 'liveConfig' | 'clock' | 'home'>,
): readonly Delivery[] {
  if (!verdicts.some(({ stage, verdict }) => stage === 'silence' && verdict !== 'pass')) return [];
  const config = liveConfig.config();
  const sent = new Set(existing.map(({ channel }) => channel));
  const channels = reach(event, config, home).filter((channel) => !sent.has(channel));
  const { title = event.agent, continues = [] } = agentByName(event.agent) ?? {};
  const at = { config, redactor: redactorFor(() => config)(), now: clock.now(), continues };
  const plan = immediateSends(channels, 'replayed', channelProfiles(config), at.now);
  return buildDeliveries(event, plan, { messages: [] }, title, at);
}
