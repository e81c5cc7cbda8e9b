// The way in: the one-time code of `belfry dashboard` becomes a token, which this tab keeps.
import { signal } from '@preact/signals';
import { type Call, createInterfaceClient, InterfaceError } from '../../http/api/client.ts';
import { openStream } from './stream.ts';

/** entering: the code is being exchanged; in: there is a token; out: `belfry dashboard` has to let this tab in again. */
export const access = signal<'entering' | 'in' | 'out'>('entering');

const KEY = 'belfry.token';

const token = (): string | null => sessionStorage.getItem(KEY);

const client = createInterfaceClient({ origin: '', token });

/** Calls an endpoint; a token that has ended shows at once. Throws InterfaceError. */
export const call: Call = async (name, input, abort) => {
  try {
    return await client(name, input, abort);
  } catch (error) {
    if (error instanceof InterfaceError && error.problem.status === 401) leave();
    throw error;
  }
};

/** Takes the code out of the address, so that it is in no bookmark, and exchanges it. */
export async function enter(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('t');
  if (code !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      sessionStorage.setItem(KEY, (await client('page.token', { code })).token);
    } catch (error) {
      if (!(error instanceof InterfaceError)) throw error; // a used code: an older token may still do
    }
  }
  if (token() === null) return leave();
  access.value = 'in';
  openStream(token, leave);
}

function leave(): void {
  sessionStorage.removeItem(KEY);
  access.value = 'out';
}
