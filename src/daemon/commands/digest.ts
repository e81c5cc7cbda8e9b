// `digest`: what quiet hours and mutes have held back so far, and sending it now.
import * as z from 'zod';
import { isDigestHold } from '../../model/delivery/holds.ts';
import { releaseTimer } from '../../pipeline/index.ts';
import { type CommandHandler, parseArgs } from './context.ts';

const schema = z.object({});

/** Ends every hold; replies with how many deliveries were held. */
export const digest: CommandHandler = async (given, { store, clock, wakeTimers }) => {
  parseArgs(schema, given);
  const held = [...(await store.holds())].filter(([hold]) => isDigestHold(hold));
  const now = clock.now();
  for (const [hold] of held) await store.setTimer(releaseTimer(hold, now, true), now);
  wakeTimers();
  return { held: held.reduce((sum, [, count]) => sum + count, 0) };
};
