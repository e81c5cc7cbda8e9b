// Whether an address leads to this machine or its network, as far as it says so itself.
import { isIP } from 'node:net';
import { bareHost, isPublicAddress } from './outbound-url.ts';

/** False for what is no URL. Names are not looked up. */
export const isLocalUrl = (value: string): boolean => URL.canParse(value) && isLocalHost(bareHost(new URL(value)));

/** The same of a host, without brackets. */
export function isLocalHost(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host));
}
