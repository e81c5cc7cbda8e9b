// Checks a configured address without connecting, for `belfry doctor`.
import { isIP } from 'node:net';
import {
  allowedAddresses,
  bareHost,
  PRIVATE_ADDRESS_HINT,
  REFUSED,
  type Resolve,
  parseOutboundUrl,
} from './outbound-url.ts';
import { proxyFor } from './proxy.ts';

/** What `doctor` says of a target; nothing is sent to it, only its name is looked up. */
export interface UrlCheckResult {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly text: string;
  readonly fix?: string;
}

/** Checks an address without connecting. `setting`: where it is written, in words: "`url` in config.toml". */
export async function checkUrl(
  text: string,
  allowPrivate: boolean,
  signal: AbortSignal,
  setting: string,
  resolve?: Resolve,
): Promise<UrlCheckResult[]> {
  const url = parseOutboundUrl(text, true);
  if (typeof url === 'string') return [{ level: 'fail', text: url, fix: `correct ${setting}` }];
  const host = bareHost(url);
  const closed: UrlCheckResult = {
    level: 'fail',
    text: PRIVATE_ADDRESS_HINT.fault(host),
    fix: PRIVATE_ADDRESS_HINT.fix,
  };
  if (typeof parseOutboundUrl(text, allowPrivate) === 'string') return [closed];
  const findings: UrlCheckResult[] = [];
  try {
    if (isIP(host) === 0) await withEnd(allowedAddresses(host, allowPrivate, resolve), signal);
    findings.push({ level: 'ok', text: `${url.hostname} is allowed (not contacted)` });
  } catch (error) {
    const refused = (error as NodeJS.ErrnoException).code === REFUSED;
    const proxy = proxied(url);
    findings.push(
      refused
        ? closed
        : proxy !== null
          ? { level: 'ok', text: `${host} is left to the proxy ${proxy} to find (not contacted)` }
          : { level: 'fail', text: `${host} cannot be resolved`, fix: 'check the spelling and the network' },
    );
  }
  if (url.protocol === 'http:' && !allowPrivate)
    findings.push({ level: 'warn', text: 'notifications are sent unencrypted', fix: 'use an https:// address' });
  return findings;
}

/** The proxy's name, where the request goes through one. */
function proxied(url: URL): string | null {
  try {
    return proxyFor(url)?.name ?? null;
  } catch {
    return null; // its own check says so
  }
}

/** Gives up on a look-up when the signal fires; look-ups themselves cannot be cancelled. */
function withEnd<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
