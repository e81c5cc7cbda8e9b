// The kind of event that an option names.
import { EXIT, UserError } from '../model/errors.ts';
import { KINDS, type Kind } from '../model/event.ts';

/** Refuses a kind that nobody knows, and names those there are. */
export function kindOf(text: string): Kind {
  const kind = KINDS.find((known) => known === text);
  if (kind) return kind;
  throw new UserError(`there is no kind "${text}"; known: ${KINDS.join(', ')}`, EXIT.usage);
}
