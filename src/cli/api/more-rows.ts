// Whether more rows follow than were asked for, and how to get them: a part is never shown as the whole.
import type { Endpoint } from '../../api/contract/endpoint.ts';
import { oneLine } from '../../lib/text/text.ts';
import { kebab } from './flags.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is missing of a list. */
export interface Follows {
  /** Rows before or after these are certainly missing. */
  readonly part: boolean;
  /** A line for people; null: nothing to say. */
  readonly note: string | null;
}

/** Judges one page by what was asked (`input`) and what came. */
export function follows({ pages, rows }: Endpoint, input: Fields, answer: Fields): Follows {
  if (!pages || !rows) return { part: false, note: null };
  const more = pages.more(answer);
  const next = pages.next(answer);
  const list = answer[rows];
  const count = Array.isArray(list) ? list.length : 0;
  const from = input[pages.parameter] !== undefined;
  if (count === 0 || more === false) return { part: from, note: null };
  const limit = input['limit'];
  const maybe = more === null && next !== null && (typeof limit !== 'number' || count >= limit);
  // Where the service does not say, a cursor means more.
  const sure = more === true || (maybe && endpointSays(pages, answer));
  if (!sure && !maybe) return { part: from, note: null };
  const way = next === null ? '' : `, or --${kebab(pages.parameter)} ${quote(next)} for the next page`;
  const what = `${count} ${count === 1 ? 'row' : 'rows'}`;
  const says = sure ? 'and there is more' : 'and there may be more';
  return { part: true, note: `${what}, ${says}: add --all for everything${way}` };
}

/** A cursor made by the service, not one taken from the last row. */
const endpointSays = (pages: NonNullable<Endpoint['pages']>, answer: Fields): boolean =>
  pages.parameter === 'cursor' && pages.next(answer) !== null;

/** Quoted for a shell. */
function quote(cursor: string): string {
  const text = oneLine(cursor);
  return /^[\w.:@/+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
