// `belfry ack`: says "I have seen it": what was sent is updated or removed, and nothing more of it is sent.
import type { AckAnswer } from '../../../daemon/commands/ack.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';
import { notificationsNamed } from '../../reading/notification-ids.ts';
import { idOf } from '../../reading/pending-numbers.ts';
import { ask } from '../../daemon/rpc.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import { withStore } from '../../reading/with-store.ts';

/** The daemon writes one row after the other, ms. */
const PATIENCE = 30_000;

export const define: Define = (command, io) => {
  command
    .argument(
      '[ID...]',
      'numbers of `belfry pending`, or ids of events, notifications, questions, deliveries or sessions; default: the one sent last',
    )
    .option('--all', 'everything that is open')
    .action(async (ids: readonly string[], { all }: { all?: true }) => {
      if (ids.includes('all')) throw new UserError('for everything that is open, write --all', EXIT.notFound);
      if (all && ids.length > 0) throw new UserError('give IDs or --all, not both', EXIT.usage);
      const args = all ? { all } : ids.length === 0 ? { latest: true } : { ids: await notificationsOf(ids) };
      const paths = resolveOwnPaths();
      await ensureListening(paths);
      const answer = (await ask(paths, 'ack', args, PATIENCE)) as AckAnswer;
      if (io.json) return io.data(answer.notifications);
      for (const { result, state, title, why } of answer.notifications) {
        const words = result === 'acknowledged' ? 'acknowledged' : `already ${state}`;
        const how = result === 'already' && why !== null && why !== state ? ` (${oneLine(why)})` : '';
        io.line(`${words}: ${oneLine(title)}${how}`);
      }
      if (answer.notifications.length === 0) io.note('nothing is open');
      const asked = await withStore((store) => store.questions({ states: ['open'] }));
      const still = answer.notifications.filter(({ id }) => asked.some((one) => one.notificationId === id)).length;
      const they = still > 1 ? `${still} of these still wait` : 'what it asks still waits';
      if (still > 0) io.note(`${they} for an answer: \`belfry pending\` says how to give it`);
    });
};

async function notificationsOf(texts: readonly string[]): Promise<readonly string[]> {
  const ids = await Promise.all(texts.map((text) => idOf(resolveOwnPaths(), text)));
  return withStore((store) => notificationsNamed(store, ids));
}
