// Tabs of one browser let each other in: one that nobody let in asks, and one that is in has Belfry make a code for it. What they say reaches no page
// of another port or name, and the code is good once, for seconds, and only with what the asking tab keeps to itself. A tab asks its person first about
// what was open before it came in, and about all once Belfry was started again since: that may be a document of another user's program, which had the
// address in between.
import { signal } from '@preact/signals';
import { type Call, InterfaceError } from '../../http/api/client.ts';
import { hex, sha256 } from '../lib/hmac.ts';
import { sleep } from '../lib/sleep.ts';
import { askByWorker, hearAsking } from './tab-witness.ts';

const CHANNEL = 'belfry.tabs';
/** Ms until a tab that nobody has answered says how to come in. */
const WAIT = 1_000;
/** Ms that it hears an answer for after that: the others may be busy. */
const LATE = 20_000;
/** Ms that other tabs have to let one in that one would ask about: it may have come before that one, and after them. */
const OTHERS = 300;
/** Tabs that are answered at once; who asks more often is none. */
const MOST = 20;

/** `asks` and `for`: the hash of the asking tab's secret. */
interface Said {
  readonly asks?: unknown;
  readonly for?: unknown;
  readonly code?: unknown;
  /** The person is asked first. */
  readonly waits?: unknown;
  readonly isIn?: unknown;
}

const said = ({ data }: MessageEvent<unknown>): Said => (typeof data === 'object' && data !== null ? data : {});

/** Tabs that are let in once somebody says so here, each by the hash of what it keeps to itself. */
export const tabsAtTheDoor = signal<readonly string[]>([]);

/** While a tab asks the others: one of them asks its person first; or none has answered so far. */
interface Asking {
  readonly waits: () => void;
  readonly unanswered: () => void;
}

/** Resolves with a token; null: no other tab is in. `call`: without a token. Throws InterfaceError. */
export async function askTabs(call: Call, asking: Asking): Promise<string | null> {
  for (let isLast = false; ; isLast = true) {
    const secret = hex(crypto.getRandomValues(new Uint8Array(32)));
    const code = await codeFor(hex(sha256(new TextEncoder().encode(secret))), asking);
    if (code === null) return null;
    try {
      return (await call('page.token', { code, secret })).token;
    } catch (error) {
      // Where everything is slow its seconds may be over before it comes: one more is asked for.
      if (isLast || !(error instanceof InterfaceError) || error.problem.status !== 401) throw error;
    }
  }
}

function codeFor(asking: string, { waits, unanswered }: Asking): Promise<string | null> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    let isAnswered = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answered = (): void => {
      isAnswered = true;
      clearTimeout(timer);
    };
    const end = (code: string | null): void => {
      answered();
      channel.close();
      resolve(code);
    };
    const late = (): void => {
      unanswered();
      timer = setTimeout(end, LATE, null);
    };
    channel.onmessage = (message) => {
      const { for: whom, code, waits: isAtTheDoor } = said(message);
      if (whom !== asking) return;
      if (typeof code === 'string') return end(code);
      if (isAtTheDoor !== true) return;
      answered();
      timer = setTimeout(waits, OTHERS);
    };
    const asked = (isHeard: boolean): void => {
      if (!isHeard) channel.postMessage({ asks: asking });
      if (!isAnswered) timer = setTimeout(late, WAIT);
    };
    askByWorker(asking).then(asked, () => asked(false));
  });
}

/** Forgets a tab that waits. */
export function sendAway(asking: string): void {
  tabsAtTheDoor.value = tabsAtTheDoor.value.filter((one) => one !== asking);
}

/** Lets other tabs in. `call`: with what lets this tab in; `isFirst`: that is no other tab. */
export function letTabsIn(
  call: Call,
  isFirst: boolean,
): {
  /** One that waits: somebody has said that it is theirs. */
  readonly letIn: (asking: string) => Promise<void>;
  /** Resolves once those that come from now on are let in unasked. */
  readonly ready: Promise<void>;
  readonly stop: () => void;
} {
  const channel = new BroadcastChannel(CHANNEL);
  let answering = 0;
  let isOver = false;
  /** Those that some tab has let in: an answer about them may come later. */
  const done = new Set<string>();
  const answer = async (asking: string, pressed: boolean): Promise<void> => {
    answering += 1;
    try {
      const { code, asks } = await call('page.code', { for: asking, pressed });
      if (code !== null) channel.postMessage({ for: asking, code });
      if (asks) askPerson(asking);
    } catch {
      // Belfry is away, or this tab is let in no more: the other one says how to come in.
    }
    answering -= 1;
  };
  const askPerson = (asking: string): void => {
    if (done.has(asking) || tabsAtTheDoor.value.length >= MOST) return;
    tabsAtTheDoor.value = [...tabsAtTheDoor.value.filter((one) => one !== asking), asking];
    channel.postMessage({ for: asking, waits: true });
  };
  const hear = async (asking: string, isNewer: boolean): Promise<void> => {
    if (!/^[0-9a-f]{64}$/.test(asking) || answering >= MOST) return;
    if (isNewer) return answer(asking, false);
    answering += 1;
    // A press is of use only where Belfry answers.
    const [isThere] = await Promise.all([call('page.key', {}).then(Boolean, () => false), sleep(OTHERS)]);
    answering -= 1;
    if (isThere && !isOver) askPerson(asking);
  };
  const { ready, stop } = hearAsking(isFirst, (asking, isNewer) => void hear(asking, isNewer));
  channel.onmessage = (message) => {
    const { asks, for: whom, code } = said(message);
    if (typeof asks === 'string') void hear(asks, false);
    if (typeof whom !== 'string' || code === undefined) return;
    if (done.size >= MOST) done.clear();
    done.add(whom);
    sendAway(whom);
  };
  return {
    letIn: (asking) => {
      sendAway(asking);
      return answer(asking, true);
    },
    ready,
    stop: () => {
      isOver = true;
      stop();
      channel.close();
      tabsAtTheDoor.value = [];
    },
  };
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
