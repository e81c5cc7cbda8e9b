// What the mock service does at each endpoint: one function an endpoint of the contract, none missing, none extra.
import type * as z from 'zod';
import type { Contract } from '../api/contract/contract.ts';
import type { Endpoint, Output } from '../api/contract/endpoint.ts';

type Given<E extends Endpoint> = z.output<E['params']> & z.output<E['query']> & z.output<E['body']>;
type HandlerOf<E> = E extends Endpoint ? (input: Given<E>) => Output<E> : never;

/** A function for every endpoint; throws `Refusal` for what the service would refuse. */
export type Handlers = {
  readonly [R in keyof Contract]: { readonly [M in keyof Contract[R]]: HandlerOf<Contract[R][M]> };
};

/** A failure the service answers with. */
export class Refusal extends Error {
  readonly status: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, title: string, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.status = status;
    this.title = title;
    this.headers = headers;
  }
}

/** Nothing has this id or name. */
export const notFound = (what: string): Refusal => new Refusal(404, 'Not Found', `${what} does not exist`);

/** One page of a list; the cursor is the key of the page's last item. */
export function pageOf<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  { limit = 20, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): { items: T[]; hasMore: boolean; nextCursor: string | null } {
  const start = cursor === undefined ? 0 : all.findIndex((item) => keyOf(item) === cursor) + 1;
  if (cursor !== undefined && start === 0) throw new Refusal(400, 'Bad Request', 'the cursor is not one of this list');
  const items = all.slice(start, start + limit);
  const last = items.at(-1);
  const hasMore = start + items.length < all.length;
  return { items, hasMore, nextCursor: hasMore && last !== undefined ? keyOf(last) : null };
}
