// Follows pages: ends on an empty page, on a cursor that is missing or came before, and on rows that came before.
import { createHash } from 'node:crypto';
import type { Endpoint, Paging } from '../contract/endpoint.ts';
import { ApiError } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** More pages than any list of the service has: a service that invents cursors for ever is stopped here. */
const MOST_PAGES = 10_000;

/** Every page from the one `input` asks for, each row once. `warn`: called with why the list may be incomplete. */
export async function* followPages<P extends Fields>(
  endpoint: Endpoint,
  input: Fields,
  fetchPage: (input: Fields) => Promise<P>,
  warn: (text: string) => void = () => undefined,
): AsyncGenerator<P, void, undefined> {
  const { pages, rows } = endpoint;
  if (!pages || !rows) throw new Error('this endpoint has no pages');
  const cursors = new Set<unknown>([input[pages.parameter]]);
  const given = new Set<string>();
  let next = input;
  for (let number = 1; number <= MOST_PAGES; number++) {
    const page = await fetchPage(next);
    const list: unknown[] = Array.isArray(page[rows]) ? page[rows] : [];
    if (list.length === 0 && number > 1) return;
    const ids = list.map((row) => identity(row, pages));
    const fresh = list.filter((_, i) => !given.has(ids[i] ?? ''));
    if (fresh.length === 0 && number > 1) return warn(repeated(number));
    yield fresh.length === list.length ? page : { ...page, [rows]: fresh };
    for (const id of ids) given.add(id);
    const cursor = list.length === 0 ? null : pages.next(page);
    if (cursor === null || cursors.has(cursor)) {
      if (list.length > 0 && pages.more(page) === true) warn(cursor === null ? LOST : CIRCLE);
      return;
    }
    cursors.add(cursor);
    next = { ...input, [pages.parameter]: cursor };
  }
  throw new ApiError('unusable-answer', `more than ${MOST_PAGES} pages; narrow the request`);
}

const repeated = (page: number): string =>
  `the service gave the same rows again (page ${page}), so the list ends here and may be incomplete`;
const CIRCLE = 'the service repeated a cursor, so the list ends here and may be incomplete';
const LOST = 'the service reports more rows but gives no cursor for them: the list is incomplete';

/** Short, since a long list has many. */
function identity(row: unknown, { key }: Paging): string {
  const own = key === undefined ? undefined : (row as Fields | null)?.[key];
  if (typeof own === 'string' || typeof own === 'number') return String(own);
  return createHash('sha1')
    .update(JSON.stringify(row) ?? '')
    .digest('base64');
}
