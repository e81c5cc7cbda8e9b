// `replay`: delivers again, one event or delivery, or all dead letters.
import * as z from 'zod';
import { EXIT, UserError } from '../../model/errors.ts';
import type { Delivery } from '../../model/delivery.ts';
import { type Answer, type CommandParts, readArgs } from './parts.ts';
import { resultsOf } from './result.ts';

const schema = z.union([z.object({ id: z.string() }), z.object({ dead: z.literal(true) })]);
/** Most dead letters sent again at once. */
const MOST = 10_000;

/** Answers with the deliveries that go out, and how those went that ended at once. */
export const replay: Answer = async (given, parts) => {
  const args = readArgs(schema, given);
  const found =
    'id' in args ? await ofId(args.id, parts) : await parts.store.deliveries({ states: ['dead'], limit: MOST });
  const ids = await parts.deliveries.replay(found);
  const going = new Set(ids);
  const ready = async (): Promise<boolean> => true; // a replay writes its rows before it returns
  const replayed = await resultsOf(parts, { limit: MOST }, ({ id }) => going.has(id), ready);
  return { on_their_way: found.length - ids.length, replayed };
};

async function ofId(id: string, { store }: CommandParts): Promise<readonly Delivery[]> {
  const stored = await store.event(id);
  const found = await store.deliveries(stored ? { eventId: id } : { limit: MOST });
  const wanted = stored ? found : found.filter((delivery) => delivery.id === id);
  if (wanted.length > 0) return wanted;
  const why = stored
    ? 'it was told to nobody, so there is nothing to deliver again'
    : 'there is no event or delivery of this id';
  throw new UserError(`${why}: see \`belfry why ${id.slice(0, 13)}\``, EXIT.notFound);
}
