// `--wait [D]`: polls something that was just created until it is ready.
import { systemClock, sleep } from '../../../lib/clock.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { parseDuration } from '../../../model/quantities.ts';
import type { Io } from '../../io.ts';

export const WAIT_OPTION = '--wait [D]';

const DEFAULT_MS = 15 * 60_000;
const FIRST_MS = 500;
const LONGEST_MS = 5_000;

/** How to poll, and when it is over. */
export interface Waiting<T> {
  readonly what: string;
  readonly look: () => Promise<T>;
  readonly isOver: (value: T) => boolean;
  /** A short text for a terminal. */
  readonly state: (value: T) => string;
  /** The command that checks once more. */
  readonly again: string;
}

/** Refuses a `--wait` that is no duration, before anything is sent. `given`: as commander gives it. */
export function waitMs(given: unknown): number {
  const ms = given === true ? DEFAULT_MS : parseDuration(String(given));
  if (ms === null || ms === 0)
    throw new UserError('--wait must be a duration such as 10m; nothing was sent', EXIT.usage);
  return ms;
}

/** The result once it is ready; throws after that time, exit 7. */
export async function waitUntil<T>(io: Io, given: unknown, waiting: Waiting<T>): Promise<T> {
  const until = systemClock.now() + waitMs(given);
  const progress = process.stderr.isTTY === true;
  try {
    for (let pause = FIRST_MS; ; pause = Math.min(LONGEST_MS, pause * 1.5)) {
      const value = await waiting.look();
      if (waiting.isOver(value)) return value;
      if (progress) process.stderr.write(`\r\x1b[K${waiting.what} is ${waiting.state(value)}`.slice(0, io.columns + 3));
      const left = until - systemClock.now();
      if (left <= 0)
        throw new UserError(
          `${waiting.what} was created but is still ${waiting.state(value)}; check again with \`${waiting.again}\``,
          EXIT.unreachable,
        );
      await sleep(Math.min(pause, left));
    }
  } finally {
    if (progress) process.stderr.write('\r\x1b[K');
  }
}
