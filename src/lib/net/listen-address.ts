// Addresses to listen on: "127.0.0.1:7717", "[::1]:7717", "localhost:7717".
import { isIP } from 'node:net';

/** An address and port of this machine. */
export interface ListenAddress {
  /** IP address without brackets, or `localhost`. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** Null where the text is no IP address (or `localhost`) with a port. */
export function parseListenAddress(text: string): ListenAddress | null {
  const found = /^(?:\[([0-9a-fA-F:.]{2,45})\]|(localhost|[\d.]{7,15})):(\d{1,5})$/.exec(text);
  if (!found) return null;
  const [, six, four, digits] = found;
  const host = six ?? four ?? '';
  const port = Number(digits);
  if (port > 65_535 || (host !== 'localhost' && isIP(host) !== (six === undefined ? 4 : 6))) return null;
  return { host, port };
}

/** Whether only this machine reaches it. */
export function isLoopback({ host }: ListenAddress): boolean {
  return host === 'localhost' || host === '::1' || /^127\.(\d+\.){2}\d+$/.test(host);
}

/** As in a URL or a Host header. */
export function formatAddress({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether the client with this IP address is on this machine. */
export const isLoopbackPeer = (peer: string): boolean => /^(?:::ffff:)?127\.|^::1$/i.test(peer);
