// Why nobody waits for an answer to a question any more. A row keeps the words of it, which people read.
import { STOPPED } from '../../ipc/ask.ts';

/**
 * `withdrawn`: its client went on; `expired`: the time was over; `unconfirmed`: nobody knows whether the agent took the answer that it was
 * sent; `lost`: we could not hear the client any more, which may still ask.
 */
interface Kind {
  readonly how: 'withdrawn' | 'expired' | 'unconfirmed' | 'lost';
  readonly words: string;
}

const KINDS = {
  'at-terminal': { how: 'withdrawn', words: 'answered at the terminal' },
  prompted: { how: 'withdrawn', words: 'it got a prompt at its terminal' },
  'later-turn': { how: 'withdrawn', words: 'a later turn is over' },
  'session-ended': { how: 'withdrawn', words: 'its session ended' },
  'subagent-ended': { how: 'withdrawn', words: 'its subagent ended' },
  'other-session': { how: 'withdrawn', words: 'another session runs in its terminal' },
  exited: { how: 'withdrawn', words: 'the agent has exited' },
  left: { how: 'withdrawn', words: 'the agent no longer waits' },
  /** The person is: its terminal is free again. */
  back: { how: 'withdrawn', words: 'you are back' },
  expired: { how: 'expired', words: 'the time to answer was over' },
  unconfirmed: { how: 'unconfirmed', words: 'an answer was sent, but the agent did not confirm it' },
  unfollowed: { how: 'lost', words: 'its client can no longer be followed' },
  'session-lost': { how: 'lost', words: 'its session is gone' },
  stopped: { how: 'lost', words: STOPPED },
  /** By a daemon that found it open at its start. */
  restarted: { how: 'lost', words: 'the daemon was restarted' },
} as const satisfies Readonly<Record<string, Kind>>;

/** The name of one. */
export type Ending = keyof typeof KINDS;

/** For people, and in the question's row. */
export const endingWords = (ending: Ending): string => KINDS[ending].words;

/** Of a row's words; null: it is not over, or was never waited for, and the words say why. */
export function endingOf(closed: unknown): (Kind & { readonly name: Ending }) | null {
  const found = Object.entries(KINDS).find(([, { words }]) => words === closed);
  // Its names are those of the table above.
  return found === undefined ? null : { ...found[1], name: found[0] as Ending };
}
