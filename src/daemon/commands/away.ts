// `away` and `back`: whether the person has left the machine, kept in the store.
import * as z from 'zod';
import { type Away, awayAt, type Back, LONGEST_AWAY } from '../../model/presence/away.ts';
import { type CommandHandler, parseArgs } from './context.ts';

const schema = z.object({ ms: z.number().positive().max(LONGEST_AWAY).nullable().default(null) });

/** Replies with the time at which it ends. */
export const away: CommandHandler = async (given, { store, clock, liveConfig, deliveries }) => {
  const { ms } = parseArgs(schema, given);
  const since = clock.now();
  const state: Away = { since, until: since + (ms ?? LONGEST_AWAY) };
  await store.setMachine(state);
  for (const { name } of liveConfig.config().channels) await store.judgeAgain(name, since);
  deliveries.wake(); // what waited for you to leave goes now
  return { until: new Date(state.until).toISOString() };
};

/** Replies whether it ended something. */
export const back: CommandHandler = async (_given, { store, clock, answering }) => {
  const now = clock.now();
  const was = awayAt(await store.machine(), now);
  const state: Back = { back: now };
  await store.setMachine(state);
  answering.back(); // hooks that hold a terminal leave
  return { was: was !== null };
};
