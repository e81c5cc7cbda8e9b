// Which IP addresses are on the public internet. Everything else is refused as a target unless the user allows it.
import { BlockList, isIP } from 'node:net';

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
