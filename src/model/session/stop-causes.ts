// What stops sessions: the causes that pass by themselves, and what people read of each cause.
import type { Event } from '../event/event.ts';

/** Those after which a session may go on later, as `[resume] on` and `cause` in JSON name them. */
export const STOP_CAUSES = ['limit', 'overloaded', 'network'] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

/** By the details of `session.failed`; other causes do not pass by themselves. */
const CAUSES: Readonly<Record<string, StopCause>> = { server: 'overloaded', network: 'network' };

/** The cause that passes by itself, by the detail of a failure; null: it does not, or a limit's may be. */
export const passingCause = (detail: string | null): StopCause | null => CAUSES[detail ?? ''] ?? null;

/** By the details of `session.failed`: the one name that each has in texts. */
const WORDS: Readonly<Record<string, string>> = {
  'rate-limit': 'rate limit',
  credit: 'out of credit',
  auth: 'not signed in',
  network: 'network error',
  server: 'server error',
  model: 'model not available',
};

/** "server error"; null: it is no failure, or its detail says nothing of the cause. */
export const failureWords = ({ kind, detail }: Pick<Event, 'kind' | 'detail'>): string | null =>
  kind === 'session.failed' ? (WORDS[detail ?? ''] ?? null) : null;

/** The same of a cause that passes by itself; of one that a later version names, its name. */
export function stopCauseWords(cause: string): string {
  const detail = Object.keys(CAUSES).find((one) => CAUSES[one] === cause);
  return WORDS[detail ?? ''] ?? cause;
}
