// Whether an address leads to this machine or its network, as far as it says so itself.
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { bareHost } from './outbound-url.ts';

/** False for what is no URL. Names are not looked up. */
export function isLocalUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const host = bareHost(new URL(value));
  return host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host));
}
