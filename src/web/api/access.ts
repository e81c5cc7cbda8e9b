// The way in: a one-time code, of `belfry dashboard` or by another tab, becomes a token, of which this tab keeps the key and sends what is good for the Belfry that it is of.
import { signal } from '@preact/signals';
import { type Call, createInterfaceClient, InterfaceError } from '../../http/api/client.ts';
import { sleep } from '../lib/sleep.ts';
import { askTabs, letTabsIn, sayIn, watchTabs } from './other-tabs.ts';
import { keyAgain, keyOf, NotLetIn, type PageKey, proveServer } from './server-proof.ts';
import { openStream } from './stream.ts';
import { follows } from './stream-turn.ts';

/** entering: the code is being exchanged; in: there is a token; out: `belfry dashboard` has to let this tab in again. */
export const access = signal<'entering' | 'in' | 'out'>('entering');

/** Holds what is sent to this Belfry and never the token: sessionStorage is open to whoever serves this address next, for whom that is good for nothing. */
const KEY = 'belfry.token';
/** Ms before a key is asked for again. */
const AGAIN = 500;
/** Ms between two uses of the token by a tab that follows nothing: of too many tabs the one unused for longest is let in no more. */
const USED = 60_000;

/** Null: this tab is let in no more. */
let held: PageKey | null = null;
/** What may be sent to who serves this address; null: to be shown again. */
let shown: Promise<string> | null = null;
/** Lets other tabs in. */
let letting: ReturnType<typeof letTabsIn> | null = null;
/** Ends what keeps this tab in. */
let stopUsing: (() => void) | null = null;

/** Another tab lets this one in once somebody says so there. */
export const isAtTheDoor = signal(false);

const openClient = createInterfaceClient({ origin: '', token: () => null });
const client = createInterfaceClient({ origin: '', token: bearer });

/** What may be sent now; null: this tab is let in no more. Throws InterfaceError where nobody answers. */
async function bearer(): Promise<string | null> {
  if (held === null) return null;
  shown ??= proveServer(openClient, held);
  const asked = shown;
  try {
    const sent = await asked;
    if (held === null) return null;
    sessionStorage.setItem(KEY, sent);
    return sent;
  } catch (error) {
    if (shown === asked) shown = null;
    if (!(error instanceof NotLetIn)) throw error;
    leave();
    return null;
  }
}

/** The connection broke, or what was sent is good no more: whoever answers next may be another. */
function distrust(): void {
  shown = null;
}

/** Calls an endpoint; a token that has ended shows at once. Throws InterfaceError. */
export const call: Call = async (name, input, abort) => {
  try {
    return await client(name, input, abort).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      distrust(); // Belfry was started again, perhaps
      return client(name, input, abort);
    });
  } catch (error) {
    if (isRefusal(error)) leave();
    if (error instanceof InterfaceError && error.problem.status === 0 && abort?.aborted !== true) distrust();
    throw error;
  }
};

const isRefusal = (error: unknown): boolean => error instanceof InterfaceError && error.problem.status === 401;

/** Takes the code out of the address, so that it is in no bookmark, and exchanges it. */
export async function enter(): Promise<void> {
  let isFirst = false;
  const code = new URLSearchParams(location.hash.slice(1)).get('t');
  if (code !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      held = keyOf((await openClient('page.token', { code })).token);
      isFirst = true;
    } catch (error) {
      if (!(error instanceof InterfaceError)) throw error; // a used code: what was sent before may still do
    }
  }
  held ??= await goOn();
  if (held !== null) {
    begin(isFirst);
    void letting?.ready.then(sayIn);
  } else if (isOpenedHere()) await enterByTab();
  else leave();
}

/** By another tab that is in; else this one says how. Resolves when it is in, or nobody has answered so far: who is busy may let it in later. */
export function enterByTab(): Promise<void> {
  return new Promise((resolve, reject) => {
    const unanswered = (): void => {
      leave();
      resolve();
    };
    askToEnter(unanswered).then(resolve, reject);
  });
}

async function askToEnter(unanswered: () => void): Promise<void> {
  try {
    const token = await askTabs(openClient, {
      waits: () => {
        leave();
        isAtTheDoor.value = true;
      },
      unanswered,
    });
    if (access.value === 'in') return; // otherwise meanwhile
    if (token === null) return leave();
    isAtTheDoor.value = false;
    held = keyOf(token);
    begin(false);
  } catch (error) {
    if (!(error instanceof InterfaceError)) throw error;
    if (access.value !== 'in') leave(); // the code came too late, or Belfry went
  }
}

/** The person, or this page, opened the tab: not a page of another site, nor into a frame. */
export function isOpenedHere(): boolean {
  const opened = document.querySelector<HTMLMetaElement>('meta[name="belfry-opened"]')?.content;
  return opened === 'here' && window.top === window;
}

/** `isFirst`: `belfry dashboard` let this tab in. */
function begin(isFirst: boolean): void {
  access.value = 'in';
  openStream({ token: bearer, ended: leave, broke: distrust });
  letting = letTabsIn(call, isFirst);
  void letting.ready.then(() => performance.mark('lets-tabs-in')); // who opens a tab before that is asked about it
  stopUsing = keepInUse();
}

/** Lets in a tab that waits, as somebody has said that it is theirs. */
export async function letIn(asking: string): Promise<void> {
  await letting?.letIn(asking);
}

/** A stream is a use of its token for as long as it is open. */
function keepInUse(): () => void {
  const use = (): void => {
    if (!follows.value) void call('page.key', {}).catch(() => undefined); // the least that needs a token; what went wrong shows with what is read next
  };
  const timer = setInterval(use, USED);
  return () => clearInterval(timer);
}

/** A tab that was loaded again. Null: it was not let in, or is no more. */
async function goOn(): Promise<PageKey | null> {
  const sent = sessionStorage.getItem(KEY);
  if (sent === null) return null;
  if (sent.startsWith('belfry_page_')) return keyOf(sent); // kept by a page of 0.1
  const asWho = createInterfaceClient({ origin: '', token: () => sent });
  for (;;) {
    try {
      return await keyAgain(asWho, sent);
    } catch (error) {
      if (error instanceof NotLetIn) return null;
      if (!(error instanceof InterfaceError)) throw error;
      await sleep(AGAIN);
    }
  }
}

function leave(): void {
  held = null;
  sessionStorage.removeItem(KEY);
  letting?.stop();
  letting = null;
  stopUsing?.();
  stopUsing = null;
  isAtTheDoor.value = false;
  if (access.value !== 'out' && isOpenedHere()) watchTabs(() => access.value === 'out' && location.reload());
  access.value = 'out';
}
