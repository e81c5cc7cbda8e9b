// Where a request may go: reads a configured address and looks its name up, refusing what is not public.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './addresses.ts';

/** Finds all addresses of a host name; `dns.lookup` unless a test brings its own. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Code of the error that a refused address gives. */
export const REFUSED = 'EREFUSEDADDRESS';

/** Why a text is no address at all; null when it is one. */
export function addressFault(text: string): string | null {
  if (!URL.canParse(text.trim())) return 'the address is not a valid URL: write it as https://HOST/PATH';
  const { protocol } = new URL(text.trim());
  return protocol === 'https:' || protocol === 'http:' ? null : 'the address must begin with https:// or http://';
}

/** A URL, or why it cannot be a target: one line, without the URL itself since that may be a secret. */
export function parseOutboundUrl(text: string, allowPrivate: boolean): URL | string {
  const fault = addressFault(text);
  if (fault !== null) return fault;
  const url = new URL(text.trim());
  if (url.username !== '' || url.password !== '')
    return 'the address must not contain a user name or password: remove them';
  const literal = bareHost(url);
  const closed = isIP(literal) === 0 ? isLoopbackName(literal) : !isPublicAddress(literal);
  if (!allowPrivate && closed) return blockedReason(url.hostname);
  return url;
}

/** Names that mean this machine wherever they are asked, though not every resolver knows them: `localhost.`, `x.localhost` (RFC 6761). */
export function isLoopbackName(host: string): boolean {
  return /(?:^|\.)(?:localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)\.*$/i.test(host);
}

/** What is wrong with an address that is not public, and the fix. */
export const PRIVATE_ADDRESS_HINT = {
  fault: (host: string): string => `${host} is a private or reserved address`,
  fix: 'use a public address, or set allow_private = true for this channel',
} as const;

/** Why an address is refused, and the fix. */
export function blockedReason(host: string): string {
  return `${PRIVATE_ADDRESS_HINT.fault(host)}; ${PRIVATE_ADDRESS_HINT.fix}`;
}

/** The host without IPv6 brackets, as `isIP` and `connect` want it. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) =>
    systemLookup(host, { all: true, verbatim: true }, (error, found) => (error ? reject(error) : resolve(found))),
  );

/** The host's addresses that may be connected to; throws with code REFUSED when it has only others. */
export async function allowedAddresses(
  host: string,
  allowPrivate: boolean,
  resolve: Resolve = resolveBySystem,
): Promise<readonly LookupAddress[]> {
  const found = await resolve(isLoopbackName(host) ? 'localhost' : host);
  const allowed = allowPrivate ? found : found.filter(({ address }) => isPublicAddress(address));
  if (allowed.length === 0 && found.length > 0) throw Object.assign(new Error(blockedReason(host)), { code: REFUSED });
  return allowed;
}

/** A `lookup` for node:http that hands out allowed addresses only: the checked address is the one connected to, so DNS rebinding gains nothing. */
export function guardedLookup(allowPrivate: boolean, resolve?: Resolve): LookupFunction {
  return (host, options, callback) => {
    allowedAddresses(host, allowPrivate, resolve).then(
      (found) => {
        const wanted =
          options.family === 4 || options.family === 6 ? found.filter((a) => a.family === options.family) : found;
        const [first] = wanted;
        if (!first) callback(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '');
        else if (options.all) callback(null, [...wanted]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
