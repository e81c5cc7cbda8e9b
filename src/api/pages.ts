// Follows pages: ends on an empty page, and on a cursor that is missing or came before.
import type { Endpoint } from './endpoint.ts';
import { ApiError } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** More pages than any list of the service has: a service that invents cursors for ever is stopped here. */
const MOST_PAGES = 10_000;

/** Every page from the one `input` asks for. */
export async function* followPages<P extends Fields>(
  endpoint: Endpoint,
  input: Fields,
  fetchPage: (input: Fields) => Promise<P>,
): AsyncGenerator<P, void, undefined> {
  const { pages, rows } = endpoint;
  if (!pages || !rows) throw new Error('this endpoint has no pages');
  const seen = new Set<unknown>([input[pages.parameter]]);
  let next = input;
  for (let number = 1; number <= MOST_PAGES; number++) {
    const page = await fetchPage(next);
    const list = page[rows];
    const empty = !Array.isArray(list) || list.length === 0;
    if (empty && number > 1) return;
    yield page;
    const cursor = empty ? null : pages.next(page);
    if (cursor === null || seen.has(cursor)) return;
    seen.add(cursor);
    next = { ...input, [pages.parameter]: cursor };
  }
  throw new ApiError('unusable-answer', `more than ${MOST_PAGES} pages; ask for less`);
}
