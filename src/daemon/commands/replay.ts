// `replay`: delivers again, one event or delivery, or all dead letters.
import * as z from 'zod';
import { removedReason } from '../../delivery/index.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { Delivery } from '../../model/delivery.ts';
import { type CommandHandler, type CommandContext, parseArgs } from './context.ts';
import { waitForNextAttempt, toResult } from './wait-for-attempt.ts';

const schema = z.union([z.object({ id: z.string() }), z.object({ dead: z.literal(true) })]);
/** Most dead letters sent again at once. */
const MOST = 10_000;

/** Answers with the deliveries that go out and how this attempt at them ended, and those whose channel is no longer configured. */
export const replay: CommandHandler = async (given, parts) => {
  const args = parseArgs(schema, given);
  const found =
    'id' in args ? await ofId(args.id, parts) : await parts.store.deliveries({ states: ['dead'], limit: MOST });
  const before = new Map(found.map((delivery) => [delivery.id, delivery.attempts]));
  const { ids, underWay, gone } = await parts.deliveries.replay(found);
  const replayed = await waitForNextAttempt(parts, ids, (id) => before.get(id) ?? 0);
  const skipped = gone.map((delivery) => ({
    ...toResult(delivery),
    state: 'dead',
    reason: 'invalid-config',
    error: removedReason(delivery.channel),
  }));
  return { on_their_way: underWay, replayed: [...replayed, ...skipped] };
};

async function ofId(id: string, { store }: CommandContext): Promise<readonly Delivery[]> {
  const stored = await store.event(id);
  const wanted = await store.deliveries({ ...(stored ? { eventId: id } : { ids: [id] }), limit: MOST });
  if (wanted.length > 0) return wanted;
  const why = stored
    ? 'it was told to nobody, so there is nothing to deliver again'
    : 'there is no event or delivery of this id';
  throw new UserError(`${why}: see \`belfry why ${id.slice(0, 13)}\``, EXIT.notFound);
}
