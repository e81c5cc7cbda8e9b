// `digest`: what quiet hours and mutes have held back so far, and sending it now.
import * as z from 'zod';
import { isDigestHold } from '../../model/holds.ts';
import { digestTimer } from '../../pipeline/index.ts';
import { type CommandHandler, parseArgs } from './context.ts';

const schema = z.object({});
/** Most deliveries looked at. */
const MOST = 10_000;

/** Ends every hold; replies with how many deliveries were held. */
export const digest: CommandHandler = async (given, { store, clock, wakeTimers }) => {
  parseArgs(schema, given);
  const held = await store.deliveries({ heldBy: true, states: ['pending'], limit: MOST });
  const rows = held.filter(({ heldBy }) => heldBy !== null && isDigestHold(heldBy));
  const now = clock.now();
  for (const hold of new Set(rows.flatMap(({ heldBy }) => heldBy ?? [])))
    await store.setTimer(digestTimer(hold, now, true), now);
  wakeTimers();
  return { held: rows.length };
};
