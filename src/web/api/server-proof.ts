// Whether who serves this address is the Belfry that let this tab in. Another user of this machine may have its port by now: they must
// not be sent the token, nor anything made of it that opens more than what they serve themselves.
import { type Call, InterfaceError } from '../../http/api/client.ts';
import { hex, hmacSha256, sha256 } from '../lib/hmac.ts';

/** Somebody else answered, or the token has ended: which of the two does not matter. */
export class NotLetIn extends Error {}

/** What a tab knows of its token. */
export interface PageKey {
  /** The eight digits that name it. */
  readonly page: string;
  /** Its SHA-256. */
  readonly key: Uint8Array;
}

/** Of the token itself, which is forgotten then. */
export function keyOf(token: string): PageKey {
  return { page: token.slice('belfry_page_'.length).slice(0, 8), key: sha256(new TextEncoder().encode(token)) };
}

/** Resolves with what may be sent in place of the token until this Belfry ends. `call`: without a token. Throws NotLetIn, or InterfaceError where nobody answers. */
export async function proveServer(call: Call, { page, key }: PageKey): Promise<string> {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const { host } = location;
  const { proof, serving } = await call('page.proof', { page, nonce }).catch(refused);
  if (proof !== hmacSha256(key, ['belfry page', nonce, host, serving].join('\n'))) throw new NotLetIn();
  return `belfry_visit_${page}_${hmacSha256(key, ['belfry visit', host, serving].join('\n'))}`;
}

/** Resolves with the key of a tab that was loaded again, which kept no more than what it sent. Throws as above. */
export async function keyAgain(call: Call, sent: string): Promise<PageKey> {
  const { key } = await call('page.key', {}).catch(refused);
  const bytes = (key.match(/../g) ?? []).map((digits) => parseInt(digits, 16));
  return { page: sent.slice('belfry_visit_'.length).slice(0, 8), key: Uint8Array.from(bytes) };
}

/** Throws what passes, that nobody answers or not now, as it came; a refusal is NotLetIn. */
function refused(error: unknown): never {
  if (!(error instanceof InterfaceError)) throw error;
  const { status } = error.problem;
  throw status === 0 || status === 429 || status >= 500 ? error : new NotLetIn();
}
