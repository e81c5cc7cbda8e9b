// Timers that concern a session name it in their data.
import { HERE } from './whereabouts.ts';
import type { SessionKey } from '../ids.ts';
import type { Timer } from '../event/verdict.ts';

/** The session that a timer names, of this machine where it does not say. */
export function sessionKeyOf({ data }: Timer): SessionKey {
  return {
    host: String(data['host'] ?? HERE.host),
    user: String(data['user'] ?? HERE.user),
    agent: String(data['agent']),
    sessionId: String(data['session']),
  };
}
