// The way in: the one-time code of `belfry dashboard` becomes a token, which this tab keeps and sends to nobody but the Belfry that it is of.
import { signal } from '@preact/signals';
import { type Call, createInterfaceClient, InterfaceError } from '../../http/api/client.ts';
import { NotLetIn, proveServer } from './proof.ts';
import { openStream } from './stream.ts';

/** entering: the code is being exchanged; in: there is a token; out: `belfry dashboard` has to let this tab in again. */
export const access = signal<'entering' | 'in' | 'out'>('entering');

const KEY = 'belfry.token';

/** Null: this tab is let in no more. */
let held: string | null = null;
/** That it is Belfry who serves this address; null: to be shown again. */
let shown: Promise<void> | null = null;

const openClient = createInterfaceClient({ origin: '', token: () => null });
const client = createInterfaceClient({ origin: '', token });

/** What may be sent now; null: this tab is let in no more. Throws InterfaceError where nobody answers. */
async function token(): Promise<string | null> {
  if (held === null) return null;
  shown ??= proveServer(openClient, held);
  const asked = shown;
  try {
    await asked;
    if (held !== null) sessionStorage.setItem(KEY, held);
  } catch (error) {
    if (shown === asked) shown = null;
    // Whoever serves this address next may read what a reload finds.
    sessionStorage.removeItem(KEY);
    if (!(error instanceof NotLetIn)) throw error;
    leave();
  }
  return held;
}

/** The connection broke: whoever answers next may be another. */
function distrust(): void {
  shown = null;
}

/** Calls an endpoint; a token that has ended shows at once. Throws InterfaceError. */
export const call: Call = async (name, input, abort) => {
  try {
    return await client(name, input, abort);
  } catch (error) {
    if (error instanceof InterfaceError && error.problem.status === 401) leave();
    if (error instanceof InterfaceError && error.problem.status === 0 && abort?.aborted !== true) distrust();
    throw error;
  }
};

/** Takes the code out of the address, so that it is in no bookmark, and exchanges it. */
export async function enter(): Promise<void> {
  held = sessionStorage.getItem(KEY);
  const code = new URLSearchParams(location.hash.slice(1)).get('t');
  if (code !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      ({ token: held } = await openClient('page.token', { code }));
    } catch (error) {
      if (!(error instanceof InterfaceError)) throw error; // a used code: an older token may still do
    }
  }
  if (held === null) return leave();
  sessionStorage.setItem(KEY, held);
  access.value = 'in';
  openStream({ token, ended: leave, broke: distrust });
}

function leave(): void {
  held = null;
  sessionStorage.removeItem(KEY);
  access.value = 'out';
}
