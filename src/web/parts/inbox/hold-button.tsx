// Puts off what follows a notification by ten minutes, its escalation and reminders; it can be brought back.
import { call } from '../../api/access.ts';
import type { CardGuard } from '../../lib/cards/card-guard.ts';
import { canHold, nextWords } from '../../lib/cards/next-words.ts';
import { announceUndoable } from '../../lib/undo.ts';
import { putNext } from '../../store/waiting.ts';
import type { Notification } from '../../store/waiting-item.ts';
import { ActButton } from '../act-button.tsx';

interface HoldButtonProps {
  readonly notification: Notification;
  readonly title: string;
  readonly guard: CardGuard;
}

const MINUTES = 10;

export function HoldButton({ notification, title, guard }: HoldButtonProps) {
  if (!canHold(notification)) return null;
  const { id } = notification;
  const putOff = async (minutes: number): Promise<string> => {
    const { next } = await call('notifications.postpone', { id, minutes });
    putNext(id, next);
    return nextWords(next, Date.now())[0] ?? 'it is being sent now';
  };
  const act = async (): Promise<undefined> => {
    announceUndoable(
      `Held for ${MINUTES} minutes: ${await putOff(MINUTES)}`,
      async () => `Brought back: ${await putOff(-MINUTES)}`,
    );
  };
  return (
    <ActButton label={`Hold ${MINUTES} minutes: ${title}`} act={act} guard={guard} letter="p">
      Hold {MINUTES} minutes
    </ActButton>
  );
}
