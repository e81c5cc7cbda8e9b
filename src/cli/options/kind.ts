// The kind of event that an option names.
import { EXIT, UserError } from '../../model/errors.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { KINDS, type Kind } from '../../model/event/event.ts';

/** Refuses an unknown kind, and names the nearest or all of them. */
export function kindOf(text: string): Kind {
  const kind = KINDS.find((known) => known === text);
  if (kind) return kind;
  throw new UserError(
    `there is no kind "${text}"${didYouMean(text, KINDS) || `; known: ${KINDS.join(', ')}`}`,
    EXIT.usage,
  );
}
