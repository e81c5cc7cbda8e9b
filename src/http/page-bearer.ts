// What the page sends in place of its token: a bearer made of it for one address for as long as that is listened on. A request that is
// already on its way when the daemon ends reaches whoever takes the port next, and what they read of it opens nothing, then or later.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StoredPage } from './token-file.ts';

/** Where a request came in. */
export interface Place {
  /** The Host header, in lower case. */
  readonly host: string;
  /** Random, new each time that an address is listened on. */
  readonly serving: string;
}

/** The key of both is the token's hash, which the page makes of its token. Each line of what is signed says one thing. */
const signed = (hash: string, ...lines: readonly string[]): string =>
  createHmac('sha256', Buffer.from(hash, 'hex')).update(lines.join('\n')).digest('hex');

/** What shows the page that this is who let it in. */
export const proofOf = (hash: string, nonce: string, { host, serving }: Place): string =>
  signed(hash, 'belfry page', nonce, host, serving);

/** What the page's requests carry. */
export const visitOf = ({ name, hash }: Pick<StoredPage, 'name' | 'hash'>, { host, serving }: Place): string =>
  `belfry_visit_${name.slice('page-'.length)}_${signed(hash, 'belfry visit', host, serving)}`;

/** Whether this is what that page sends here. How long it takes tells nothing. */
export function isVisitOf(presented: string, page: StoredPage, place: Place): boolean {
  const [given, right] = [Buffer.from(presented), Buffer.from(visitOf(page, place))];
  return given.length === right.length && timingSafeEqual(given, right);
}
