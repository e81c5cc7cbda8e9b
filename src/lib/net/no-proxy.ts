// NO_PROXY as curl and Go read it: names with all below them, addresses, networks, ports, and `*` for everything.
import { BlockList, isIP } from 'node:net';

/** Whether the list names this host, without brackets, or the host with this port. */
export function isExempt(list: string, host: string, port: number): boolean {
  const name = plain(host);
  return list.split(/[\s,]+/).some((entry) => entry !== '' && fits(entry, name, port));
}

function fits(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true;
  const [, six, four, digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  if (digits !== undefined && Number(digits) !== port) return false;
  const wanted = plain(six ?? four ?? entry); // an IPv6 address without brackets has colons of its own
  if (isIP(host) !== 0) return holdsAddress(wanted, host);
  const name = wanted.replace(/^\*?\./, '');
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

/** An address, or a network such as 10.0.0.0/8. */
function holdsAddress(entry: string, address: string): boolean {
  const [net = '', bits] = entry.split('/');
  const family = isIP(net);
  if (family === 0 || family !== isIP(address)) return false;
  const most = family === 4 ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(net, Number(bits ?? most), kind);
  return block.check(address, kind);
}

/** In lower case, without the dots of a name that is written from the root. */
function plain(host: string): string {
  let end = host.length;
  while (host[end - 1] === '.') end--;
  return host.slice(0, end).toLowerCase();
}
