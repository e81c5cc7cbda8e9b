// The address of an MQTT broker: checked as every outgoing address is.
import { addressFault, bareHost, parseOutboundUrl } from '../../lib/net/outbound-url.ts';

/** Where a broker is. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

const SCHEME = /^mqtt(s?):\/\//i;
const PORTS = { plain: 1_883, tls: 8_883 } as const;

/** The same host as a web address, for the checks that all outgoing connections have. */
export function asWebAddress(url: string): string {
  return url.trim().replace(SCHEME, 'http$1://');
}

/** Why a text is no address of a broker; null when it is one. */
export function brokerFault(url: string): string | null {
  if (!SCHEME.test(url.trim())) return 'the address must begin with mqtts:// or mqtt://';
  if (addressFault(asWebAddress(url)) !== null)
    return 'the address is not valid: write it as mqtts://HOST or mqtts://HOST:PORT';
  const { pathname, search, hash } = new URL(asWebAddress(url));
  return pathname === '/' && search === '' && hash === '' ? null : 'the address must end after the host or the port';
}

/** Or why nothing may be sent there. */
export function brokerAddress(url: string, allowPrivate: boolean): BrokerAddress | string {
  const fault = brokerFault(url);
  if (fault !== null) return fault;
  const target = parseOutboundUrl(asWebAddress(url), allowPrivate);
  if (typeof target === 'string') return target;
  const tls = target.protocol === 'https:';
  const { port } = new URL(url.trim()); // of the web address, the web's own ports would be left out
  return { host: bareHost(target), port: port === '' ? PORTS[tls ? 'tls' : 'plain'] : Number(port), tls };
}
