// Tells a hook to wait, and where it holds its terminal also that the daemon still lives: a frozen one must not hold it until the end of the wait.
import { type AskBeat, type AskWait, BEAT } from '../../../ipc/ask.ts';
import type { Reply } from '../../../ipc/frames.ts';
import type { Background } from '../../../lib/async/background.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { AskedByHook } from './may-wait.ts';

/** Resolves once that was sent; the returned function ends the heartbeat, before any further line. */
export async function tellToWait(
  { answering, hearsBeats }: Pick<AskedByHook, 'answering' | 'hearsBeats'>,
  wait: number,
  reply: (reply: Reply) => Promise<void>,
  { clock, background }: { readonly clock: Pick<Clock, 'setTimer'>; readonly background: Background },
): Promise<() => void> {
  if (answering.holds !== true || !hearsBeats) {
    await reply({ data: { wait } satisfies AskWait });
    return () => undefined;
  }
  await reply({ data: { wait, beat: BEAT } satisfies AskWait });
  let cancel = (): void => undefined;
  let isOver = false;
  // The next one only after this one was sent: nothing piles up for a hook that is suspended.
  const next = (): void => {
    if (!isOver) cancel = clock.setTimer(BEAT, () => background.run(beat()));
  };
  const beat = async (): Promise<void> => {
    await reply({ data: { beat: true } satisfies AskBeat });
    next();
  };
  next();
  return () => {
    isOver = true;
    cancel();
  };
}
