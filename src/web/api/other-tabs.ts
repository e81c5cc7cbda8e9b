// Tabs of one browser let each other in: one that nobody let in asks, and one that is in has Belfry make a code for it. What they say reaches no page
// of another port or name, and the code is good once, for seconds, and only with what the asking tab keeps to itself.
import type { Call } from '../../http/api/client.ts';
import { hex, sha256 } from '../lib/hmac.ts';

const CHANNEL = 'belfry.tabs';
/** Ms that a tab waits for another one to answer. */
const WAIT = 1_000;
/** Tabs that are answered at once; who asks more often is none. */
const MOST = 20;

/** `asks` and `for`: the hash of the asking tab's secret. */
interface Said {
  readonly asks?: unknown;
  readonly for?: unknown;
  readonly code?: unknown;
  readonly isIn?: unknown;
}

const said = ({ data }: MessageEvent<unknown>): Said => (typeof data === 'object' && data !== null ? data : {});

/** Resolves with a token; null: no other tab is in. `call`: without a token. Throws InterfaceError. */
export async function askTabs(call: Call): Promise<string | null> {
  const secret = hex(crypto.getRandomValues(new Uint8Array(32)));
  const code = await codeFor(hex(sha256(new TextEncoder().encode(secret))));
  return code === null ? null : (await call('page.token', { code, secret })).token;
}

function codeFor(asking: string): Promise<string | null> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    const end = (code: string | null): void => {
      clearTimeout(timer);
      channel.close();
      resolve(code);
    };
    const timer = setTimeout(end, WAIT, null);
    channel.onmessage = (message) => {
      const { for: whom, code } = said(message);
      if (whom === asking && typeof code === 'string') end(code);
    };
    channel.postMessage({ asks: asking });
  });
}

/** Lets other tabs in until the returned function is called. `call`: with what lets this tab in. */
export function letTabsIn(call: Call): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  let answering = 0;
  const answer = async (asking: string): Promise<void> => {
    answering += 1;
    try {
      const { code } = await call('page.code', { for: asking });
      if (code !== null) channel.postMessage({ for: asking, code });
    } catch {
      // Belfry is away, or this tab is let in no more: the other one says how to come in.
    }
    answering -= 1;
  };
  channel.onmessage = (message) => {
    const { asks } = said(message);
    if (typeof asks === 'string' && /^[0-9a-f]{64}$/.test(asks) && answering < MOST) void answer(asks);
  };
  return () => channel.close();
}

/** Says to the tabs that are open that this one came in otherwise than by one of them. */
export function sayIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ isIn: true });
  channel.close();
}

/** Calls when another tab came in. */
export function watchTabs(cameIn: () => void): void {
  new BroadcastChannel(CHANNEL).onmessage = (message) => {
    if (said(message).isIn === true) cameIn();
  };
}
