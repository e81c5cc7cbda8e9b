// Mutes a session for an hour, or ends that; both can be undone.
import { useEffect } from 'preact/hooks';
import { call } from '../../api/access.ts';
import type { CardGuard } from '../../lib/cards/card-guard.ts';
import { now } from '../../lib/clock.ts';
import { dayTime } from '../../../model/time/clock-time.ts';
import { announceUndoable } from '../../lib/undo.ts';
import { type Mute, muteOf, readMutes, wantMutes } from '../../store/mutes.ts';
import { ActButton } from '../act-button.tsx';
import { HINTS } from './action-hints.tsx';

interface MuteButtonProps {
  readonly session: string;
  readonly guard: CardGuard;
}

export function MuteButton({ session, guard }: MuteButtonProps) {
  useEffect(wantMutes, []);
  const mute = muteOf(session);
  const end = async (id: string): Promise<string> => {
    await call('mutes.end', { id });
    await readMutes();
    return 'The mute is ended';
  };
  const begin = async (): Promise<undefined> => {
    const { id } = await call('mutes.add', { minutes: 60, session });
    await readMutes();
    announceUndoable('Muted this session for an hour', () => end(id));
  };
  /** Undone, it is muted until the same time; what was held back is on its way by then. */
  const endNow = async ({ id, until, all, reason }: Mute): Promise<undefined> => {
    await end(id);
    const again = async (): Promise<string> => {
      const minutes = until === null ? null : (Date.parse(until) - Date.now()) / 60_000;
      if (minutes !== null && minutes <= 0) return 'That mute would be over by now';
      await call('mutes.add', { minutes, session, all, reason });
      await readMutes();
      return 'Muted again; what it had held back is still sent';
    };
    announceUndoable('The mute is ended; what it held back comes as a digest', again);
  };
  if (mute === undefined)
    return (
      <ActButton act={begin} guard={guard} hint={HINTS.mute} letter="h">
        Mute 1 h
      </ActButton>
    );
  return (
    <>
      <span class="note">
        {mute.until === null ? 'Muted' : `Muted until ${dayTime(Date.parse(mute.until), now.value)}`}
      </span>
      <ActButton act={() => endNow(mute)} guard={guard} letter="h">
        Unmute
      </ActButton>
    </>
  );
}
