// What went wrong with a connection, in words.
import { blockedReason, REFUSED } from './outbound-url.ts';
import { type HttpProxy, ProxyError } from './proxy.ts';

/** What a failed connection means, and the sentence for people. */
export interface ConnectionFault {
  readonly kind: 'refused' | 'timeout' | 'network';
  readonly error: string;
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'was not found; check the address and the network',
  EAI_AGAIN: 'could not be resolved; is the network up?',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached: no network',
  ETIMEDOUT: 'did not answer in time',
  CERT_HAS_EXPIRED: 'has an expired certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'uses a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'uses a certificate from an untrusted issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'uses a certificate from an untrusted issuer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
};

/** What went wrong with a connection to this host, in words. `proxy`: the one that it went through. */
export function connectionFault(
  error: NodeJS.ErrnoException,
  host: string,
  proxy: HttpProxy | null = null,
): ConnectionFault {
  if (error instanceof ProxyError) return { kind: error.kind, error: error.message };
  const code = error.code ?? '';
  if (code === REFUSED) return { kind: 'refused', error: blockedReason(host) };
  const what =
    SENTENCES[code] ??
    (code.startsWith('HPE_') ? 'sent an answer that is not HTTP' : `cannot be reached (${code || 'unknown error'})`);
  return {
    kind: code === 'ETIMEDOUT' ? 'timeout' : 'network',
    error: `${host} ${what}${through(proxy)}`,
  };
}

/** Behind a sentence about a target: the proxy may have had its part. */
export function through(proxy: HttpProxy | null): string {
  return proxy === null ? '' : ` (through the proxy ${proxy.name})`;
}
