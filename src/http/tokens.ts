// Tokens of the HTTP interface: made once, shown once, kept as hashes, each with the scopes it may use.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../lib/hash.ts';
import { EXIT, UserError } from '../model/errors.ts';
import { readTokens, statTokens, type StoredToken, type TokenScope, updateTokens } from './token-file.ts';

export { TOKEN_SCOPES, type TokenScope } from './token-file.ts';

/** Who presents a token. */
export interface TokenIdentity {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
}

/** Most tokens at once: each request is compared with all of them. */
const MOST = 200;

/** Adds a token and answers with its text, which is kept nowhere. `now`: Unix ms. Throws UserError for a name that is taken. */
export async function addToken(
  file: string,
  name: string,
  scopes: readonly TokenScope[],
  now: number,
): Promise<string> {
  const token = `belfry_${randomBytes(32).toString('base64url')}`;
  const added = {
    name,
    scopes: [...scopes],
    hash: sha256(token),
    created_at: new Date(now).toISOString(),
    last_used: null,
  };
  await updateTokens(file, (tokens) => {
    if (tokens.some((known) => known.name === name))
      throw new UserError(
        `there is a token "${name}": choose another name, or \`belfry token remove ${name}\``,
        EXIT.usage,
      );
    if (tokens.length >= MOST)
      throw new UserError(`there are ${MOST} tokens: remove some that nobody uses`, EXIT.usage);
    return [...tokens, added];
  });
  return token;
}

/** Takes effect with the next request. Throws UserError where there is none of this name. */
export async function removeToken(file: string, name: string): Promise<void> {
  await updateTokens(file, (tokens) => {
    const left = tokens.filter((known) => known.name !== name);
    if (left.length === tokens.length)
      throw new UserError(`there is no token "${name}": see \`belfry token list\``, EXIT.notFound);
    return left;
  });
}

/** Resolves with who presents this token, or null. */
export type VerifyToken = (presented: string) => Promise<TokenIdentity | null>;

/** Follows the file: a token that is added or removed counts at once. */
export function createTokenVerifier(options: {
  readonly file: string;
  /** Unix ms. */
  readonly now: () => number;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}): VerifyToken {
  const { file, now, log } = options;
  let version = '';
  let tokens: readonly StoredToken[] = [];
  /** Name of a token to the day that was noted, or could not be. */
  const noted = new Map<string, string>();

  async function current(): Promise<readonly StoredToken[]> {
    const found = await statTokens(file);
    if (found === version) return tokens;
    try {
      tokens = await readTokens(file);
    } catch (error) {
      tokens = [];
      log('the tokens of the HTTP interface cannot be read, so none is valid', { error: String(error) });
    }
    version = found;
    return tokens;
  }

  /** One write a day and token. */
  async function noteUse({ name, hash, last_used }: StoredToken): Promise<void> {
    const day = new Date(now()).toISOString().slice(0, 10);
    if (last_used === day || noted.get(name) === day) return;
    noted.set(name, day);
    try {
      await updateTokens(file, (all) =>
        all.map((known) => (known.hash === hash ? { ...known, last_used: day } : known)),
      );
    } catch (error) {
      log('the use of a token could not be noted', { name, error: String(error) });
    }
  }

  return async (presented) => {
    const hash = Buffer.from(sha256(presented), 'hex');
    let found: StoredToken | null = null;
    // Every one is compared, whichever it is: how long it takes tells nothing.
    for (const known of await current()) if (timingSafeEqual(Buffer.from(known.hash, 'hex'), hash)) found = known;
    if (found === null) return null;
    await noteUse(found);
    return { name: found.name, scopes: found.scopes };
  };
}
