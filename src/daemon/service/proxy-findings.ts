// What this process finds of its proxy: where its address is from, and whether it can be connected to.
import { PROXY_SETTING, ProxyError, proxyFor } from '../../lib/net/proxy.ts';
import { reachProxy } from '../../lib/net/proxy-tunnel.ts';
import type { CheckResult } from '../../model/channel/channel.ts';

/** Stands for any target; nothing is sent to it. */
const ANYWHERE = ['https://any.invalid/', 'http://any.invalid/'];
const FIX = `correct its address in ${PROXY_SETTING} or in the daemon's environment, or set proxy = "none"`;

/** One result for each proxy; a connection is made to it, and nothing is sent. */
export async function proxyFindings(): Promise<readonly CheckResult[]> {
  try {
    const found = [...new Set(ANYWHERE.map((url) => proxyFor(new URL(url))))].filter((proxy) => proxy !== null);
    if (found.length === 0) return [{ level: 'ok', text: 'none is used' }];
    return await Promise.all(
      found.map(async (proxy): Promise<CheckResult> => {
        const fault = await reachProxy(proxy);
        if (fault !== null) return { level: 'fail', text: fault, fix: FIX };
        return { level: 'ok', text: `${proxy.name} (${proxy.from}) takes connections` };
      }),
    );
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    return [{ level: 'fail', text: error.message, fix: FIX }];
  }
}
