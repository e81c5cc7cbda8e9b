// Puts off what follows by ten minutes, escalations and reminders, of one notification or of several that ask for the same; it can be brought back.
import { call } from '../../api/access.ts';
import type { CardGuard } from '../../lib/cards/card-guard.ts';
import { canHold, HOLD_MINUTES, nextWords, soonestFirst } from '../../lib/cards/next-words.ts';
import { announceUndoable } from '../../lib/undo.ts';
import { putNext } from '../../store/waiting.ts';
import type { Notification } from '../../store/waiting-item.ts';
import { ActButton } from '../act-button.tsx';
import { HINTS } from './action-hints.tsx';

interface HoldButtonProps {
  /** What can be held of these is. */
  readonly notifications: readonly Notification[];
  readonly title: string;
  readonly guard: CardGuard;
}

export function HoldButton({ notifications, title, guard }: HoldButtonProps) {
  const ids = [...new Set(notifications.filter(canHold).map(({ id }) => id))];
  if (ids.length === 0) return null;
  const act = async (): Promise<undefined> => {
    const held = await putOff(ids, HOLD_MINUTES);
    announceUndoable(
      `Held for ${HOLD_MINUTES} minutes${held.words}`,
      async () => `Brought back${(await putOff(held.ids, -HOLD_MINUTES)).words}`,
    );
  };
  return (
    <ActButton label={`Hold ${HOLD_MINUTES} minutes: ${title}`} act={act} guard={guard} hint={HINTS.hold} letter="p">
      Hold {HOLD_MINUTES} minutes
    </ActButton>
  );
}

/** Those that were put off, and what comes of them now. Throws what the first says where none was. */
async function putOff(
  ids: readonly string[],
  minutes: number,
): Promise<{ readonly ids: readonly string[]; readonly words: string }> {
  const asked = ids.map(async (id) => {
    const { next } = await call('notifications.postpone', { id, minutes });
    putNext(id, next);
    return { id, next };
  });
  const all = await Promise.allSettled(asked);
  const done = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = all.find((one) => one.status === 'rejected');
  if (done.length === 0 && refused !== undefined) throw refused.reason;
  const [first = 'it is being sent now'] = nextWords(soonestFirst(done.flatMap(({ next }) => next)), Date.now());
  const share = refused === undefined ? '' : `, ${done.length} of ${ids.length}`;
  return { ids: done.map(({ id }) => id), words: `${share}: ${first}` };
}
