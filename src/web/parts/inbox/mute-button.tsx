// Mutes a session for an hour, or ends that.
import { useEffect } from 'preact/hooks';
import { call } from '../../api/access.ts';
import type { CardGuard } from '../../lib/cards/card-guard.ts';
import { clockTime } from '../../lib/time-words.ts';
import { announceUndoable } from '../../lib/undo.ts';
import { muteOf, readMutes, wantMutes } from '../../store/mutes.ts';
import { ActButton } from '../act-button.tsx';

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
  if (mute === undefined)
    return (
      <ActButton act={begin} guard={guard} letter="h">
        Mute 1 h
      </ActButton>
    );
  return (
    <>
      <span class="note">{mute.until === null ? 'Muted' : `Muted until ${clockTime(Date.parse(mute.until))}`}</span>
      <ActButton act={() => end(mute.id)} guard={guard} letter="h">
        Unmute
      </ActButton>
    </>
  );
}
