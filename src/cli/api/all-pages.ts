// `--all` and `--last` of a list: follows the pages, shows progress on a terminal, and makes one document of them.
import type { AnyMethod } from '../../api/client/client.ts';
import type { Endpoint } from '../../api/contract/endpoint.ts';
import type { Recent } from './last-days.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Clears the rest of a terminal's line. */
const CLEAR = '\x1b[K';

/** The last page's document with the rows of all of them, or those of a range. */
export async function allPages(
  endpoint: Endpoint,
  call: AnyMethod,
  input: Fields,
  recent?: Recent,
): Promise<Record<string, unknown>> {
  const { rows = '' } = endpoint;
  const all: unknown[] = [];
  let last: Fields = {};
  let count = 0;
  const progress = process.stderr.isTTY === true;
  try {
    for await (const page of call.pages?.(input) ?? []) {
      const list = page[rows];
      // One by one: a spread of a very long page would overflow the stack.
      const given: unknown[] = Array.isArray(list) ? list : [];
      for (const row of recent ? recent.keep(given) : given) all.push(row);
      last = page;
      count++;
      if (progress) process.stderr.write(`\r${CLEAR}page ${count}, ${all.length} ${all.length === 1 ? 'row' : 'rows'}`);
      if (recent?.over(given)) break;
    }
  } finally {
    if (progress) process.stderr.write(`\r${CLEAR}`);
  }
  return { ...last, [rows]: all };
}
