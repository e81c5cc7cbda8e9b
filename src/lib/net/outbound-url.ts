// Where a request may go: which addresses are public; reads a configured address and looks its name up, refusing what is not.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 ranges that are not public: RFC 6890 and its successors, and the addresses of cloud metadata services. */
const CLOSED4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier NAT; one cloud's metadata service too
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // a cloud's host service, although in a public range
  ['169.254.0.0', 16], // link-local and metadata
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const closed4 = new BlockList();
for (const [net, bits] of CLOSED4) closed4.addSubnet(net, bits, 'ipv4');

/** True for an address on the public internet. Text that is no IP address is not public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed4.check(address, 'ipv4');
  return family === 6 && isPublic6(groups(address));
}

function isPublic6(g: readonly number[]): boolean {
  const at = (i: number): number => g[i] ?? 0;
  const zero = (from: number, to: number): boolean => g.slice(from, to).every((n) => n === 0);
  // ::ffff:a.b.c.d (mapped) and 64:ff9b::a.b.c.d (NAT64) reach the IPv4 address inside.
  if (zero(0, 5) && at(5) === 0xffff) return !closed4.check(embedded(g), 'ipv4');
  if (at(0) === 0x64 && at(1) === 0xff9b && zero(2, 6)) return !closed4.check(embedded(g), 'ipv4');
  if (at(0) < 0x2000 || at(0) > 0x3fff) return false; // only 2000::/3 is handed out
  if (at(0) === 0x2001 && at(1) < 0x0200) return false; // protocol assignments, Teredo, benchmarks
  if (at(0) === 0x2001 && at(1) === 0x0db8) return false; // documentation
  if (at(0) === 0x2002) return false; // 6to4: an IPv4 address in disguise, and out of use
  return !(at(0) === 0x3fff && at(1) < 0x1000); // documentation
}

/** The last 32 bits as dotted IPv4. */
function embedded(g: readonly number[]): string {
  const [high = 0, low = 0] = g.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight 16-bit groups of a valid IPv6 address; a zone id is dropped. */
function groups(address: string): number[] {
  const bare = address.split('%')[0] ?? '';
  const dotted = /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(bare);
  const hex = dotted
    ? bare.slice(0, dotted.index) +
      [
        [dotted[1], dotted[2]],
        [dotted[3], dotted[4]],
      ]
        .map(([a, b]) => ((Number(a) << 8) | Number(b)).toString(16))
        .join(':')
    : bare;
  const [left = '', right] = hex.split('::');
  const list = (text: string): number[] => (text === '' ? [] : text.split(':').map((g) => Number.parseInt(g, 16)));
  if (right === undefined) return list(left);
  const [a, b] = [list(left), list(right)];
  return [...a, ...new Array<number>(Math.max(0, 8 - a.length - b.length)).fill(0), ...b];
}

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
