// Which tabs follow the stream. A browser opens six connections to one address, for all of its tabs together, and each stream holds one: a tab that is
// shown follows, and of the hidden ones two; the others go on where they stopped once they are shown, or one of those two goes.
import { signal } from '@preact/signals';

const TURNS = ['belfry.stream.1', 'belfry.stream.2'];
/** Ms after which a tab that was hidden, and has no turn, stops: who passes through tabs stops none. */
const AFTER = 1_000;

const isShown = (): boolean => document.visibilityState === 'visible' || !('locks' in navigator);

/** Whether this tab follows now. */
export const follows = signal(isShown());

/** Gives back the turn of a hidden tab, or its place in the queue. */
let endTurn: () => void = () => undefined;

function look(): void {
  endTurn();
  endTurn = () => undefined;
  if (isShown()) follows.value = true;
  else endTurn = takeTurn();
}

/** Follows once there is a turn, until the returned function is called. */
function takeTurn(): () => void {
  const [queued, over] = [new AbortController(), new AbortController()];
  let hasTurn = false;
  const follow = async (): Promise<void> => {
    if (hasTurn || over.signal.aborted) return; // it has the other one
    hasTurn = true;
    queued.abort();
    follows.value = true;
    await new Promise((resolve) => over.signal.addEventListener('abort', resolve));
  };
  for (const name of TURNS) navigator.locks.request(name, { signal: queued.signal }, follow).catch(() => undefined); // it waits no more
  const timer = setTimeout(() => {
    if (!hasTurn) follows.value = false;
  }, AFTER);
  return () => {
    clearTimeout(timer);
    queued.abort();
    over.abort();
  };
}

document.addEventListener('visibilitychange', look);
look();

/** Resolves when this tab follows. */
export function untilFollowing(): Promise<void> {
  let end: () => void = () => undefined;
  return new Promise<void>((resolve) => {
    end = follows.subscribe((now) => now && resolve());
  }).finally(() => end());
}

/** Calls once this tab follows no more; returns what ends that. */
export const onStopped = (stop: () => void): (() => void) => follows.subscribe((now) => now || stop());
