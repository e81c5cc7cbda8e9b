// Machines elsewhere: how they are, connect and disconnect, and the test's input that comes through.
import * as z from 'zod';
import { EXIT, UserError } from '../../model/errors.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { type CommandContext, type CommandHandler, parseArgs } from './context.ts';

const named = z.object({ name: z.string() });
const connecting = z.object({
  name: z.string(),
  takesOver: z.boolean().default(false),
  wait: z.number().min(0).max(60_000),
});
const test = z.object({ word: z.string().regex(/^[a-z0-9]{16,64}$/), wait: z.number().min(0).max(60_000) });

function linkOf(name: string, { remotes }: CommandContext) {
  const link = remotes.find(name);
  if (link) return link;
  const known = remotes.status().map((one) => one.name);
  throw new UserError(`there is no [remotes.${name}]${didYouMean(name, known)}`, EXIT.notFound);
}

/** Replies with how each is. */
export const remotes: CommandHandler = async (_args, context) => ({ remotes: context.remotes.status() });

/** Replies with how it is once it is connected, cannot be, or the time is over. */
export const remoteConnect: CommandHandler = async (args, context) => {
  const { name, takesOver, wait } = parseArgs(connecting, args);
  const link = linkOf(name, context);
  const end = context.clock.now() + wait;
  link.connect(takesOver);
  for (let left = wait; left > 0; left = end - context.clock.now()) {
    const { state } = link.status();
    if (state === 'connected' || state === 'stopped') break;
    await context.remotes.nextChange(left);
  }
  return { remote: link.status() };
};

export const remoteDisconnect: CommandHandler = async (args, context) => {
  const link = linkOf(parseArgs(named, args).name, context);
  await link.disconnect();
  return { remote: link.status() };
};

/** Waits for a test's input with this word. Replies with the ms that it took; null: it has not come. */
export const remoteTest: CommandHandler = async (args, context) => {
  const { word, wait } = parseArgs(test, args);
  return { ms: await context.remotes.awaitTest(word, wait) };
};
