// Whether who serves this address is the Belfry that let this tab in. Another user of this machine may have its port by now, and must not be sent the token.
import { type Call, InterfaceError } from '../../http/api/client.ts';
import { hex, hmacSha256, sha256 } from '../lib/hmac.ts';

/** Somebody else answered, or the token has ended: which of the two does not matter. */
export class NotLetIn extends Error {}

/** `call`: without a token. Throws NotLetIn, or InterfaceError where nobody answers. */
export async function proveServer(call: Call, token: string): Promise<void> {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const [page = ''] = /(?<=^belfry_page_)[0-9a-f]{8}(?=_)/.exec(token) ?? [];
  const own = hmacSha256(sha256(new TextEncoder().encode(token)), `belfry page\n${nonce}\n${location.host}`);
  const proof = await call('page.proof', { page, nonce }).then(
    (answer) => answer.proof,
    (error: unknown) => {
      if (error instanceof InterfaceError && isPassing(error.problem.status)) throw error;
      return null;
    },
  );
  if (proof !== own) throw new NotLetIn();
}

/** Nobody answers, or not now. */
const isPassing = (status: number): boolean => status === 0 || status === 429 || status >= 500;
