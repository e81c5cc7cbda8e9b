// `belfry focus`: takes you to the window, tab and pane of a session, without a daemon too.
import { focusSession, longestWaiting } from '../../daemon/sessions/focus.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { SessionKey } from '../../model/ids.ts';
import type { StoreReader } from '../../store/contract.ts';
import type { Define } from '../command-entry.ts';
import { eventOf, withStore } from '../reading/with-store.ts';

export const define: Define = (command, io) => {
  command
    .argument(
      '[ID]',
      'number of `belfry pending`, or id of a session, event, notification or question; without one, what waits longest',
    )
    .action(async (id: string | undefined) => {
      const focused = await withStore(async (store) => {
        const key = id === undefined ? await longestWaiting(store, Date.now()) : await sessionOf(store, id);
        return focusSession(key, store, io.env);
      });
      if (focused.done === 'some') io.exit = EXIT.refused;
      if (io.json) return io.data(focused);
      for (const { done, text } of focused.steps) (done ? io.line : io.note)(text);
    });
};

async function sessionOf(store: StoreReader, id: string): Promise<SessionKey> {
  const { event } = await eventOf(store, id);
  if (event.sessionId === null)
    throw new UserError('that event belongs to no session: `belfry sessions` lists sessions', EXIT.notFound);
  return { ...event, sessionId: event.sessionId };
}
