// The topics of one machine.
import { sha256 } from '../../lib/hash.ts';
import { HERE } from '../../model/session/whereabouts.ts';

/** Longest id in a topic. */
const LONGEST = 200;

/** One level of a topic: no wildcard, no separator and nothing that a broker may refuse; the same for the same text only. */
export function topicLevel(text: string): string {
  const encoded = [...text].map((character) =>
    /[\x20-\x7e]/.test(character) && !/[%/+#]/.test(character) ? character : percent(character),
  );
  const level = encoded.join('');
  return level.length > 0 && level.length <= LONGEST ? level : sha256(text, 32);
}

const percent = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** All topics below `prefix` on this machine. */
export function topicsOf(prefix: string) {
  const machine = `${prefix}/${topicLevel(HERE.host)}`;
  return {
    /** `online` or `offline`, retained. */
    status: `${machine}/status`,
    events: `${machine}/events`,
    /** How many sessions are in each state, retained. */
    sessions: `${machine}/sessions`,
    /** Of one session, retained. */
    state: (sessionId: string): string => `${machine}/session/${topicLevel(sessionId)}/state`,
    /** A filter for the states of all of them. */
    states: `${machine}/session/+/state`,
  };
}
