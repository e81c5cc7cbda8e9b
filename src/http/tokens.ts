// Tokens of the HTTP interface: made once, shown once, kept as hashes, each with the scopes it may use.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../lib/hash.ts';
import { EXIT, UserError } from '../model/errors.ts';
import type { Scope, TokenScope } from './access.ts';
import {
  readTokenFile,
  statTokens,
  type StoredPage,
  type StoredToken,
  type TokenFile,
  updateTokenFile,
} from './token-file.ts';
import { isVisitOf, type Place } from './page-bearer.ts';

/** Who presents a token. */
export interface TokenIdentity {
  /** The token's hash: one that is removed and made again is another. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** The name that browsers go by that were let in; no token is called so. */
export const PAGE = 'the page';
/** Hours without a request after which a browser has to be let in again. */
export const IDLE_HOURS = 12;
const IDLE = IDLE_HOURS * 3_600_000;
/** A use of the page is written so often at most, ms. */
const NOTED = 300_000;
/** Most tokens at once: each request is compared with all of them. */
const MAX_TOKENS = 200;

/** Adds a token and answers with its text, which is kept nowhere. `now`: Unix ms. Throws UserError for a name that is taken. */
export async function addToken(
  file: string,
  name: string,
  scopes: readonly TokenScope[],
  now: number,
): Promise<string> {
  const token = `belfry_${randomBytes(32).toString('base64url')}`;
  const created = new Date(now).toISOString();
  const added = { name, scopes: [...scopes], hash: sha256(token), created_at: created, last_used: null };
  await updateTokenFile(file, (content) => {
    if ([...content.tokens, ...content.pages].some((known) => known.name === name))
      throw new UserError(
        `there is a token "${name}": choose another name, or \`belfry token remove ${name}\``,
        EXIT.usage,
      );
    if (content.tokens.length >= MAX_TOKENS)
      throw new UserError(`there are ${MAX_TOKENS} tokens: remove some that nobody uses`, EXIT.usage);
    return { ...content, tokens: [...content.tokens, added] };
  });
  return token;
}

/** What it has open ends at once, and its next request is refused. Throws UserError where there is none of this name. */
export async function removeToken(file: string, name: string): Promise<void> {
  await updateTokenFile(file, (content) => {
    const isOther = (known: { readonly name: string }): boolean => known.name !== name;
    const [tokens, pages] = [content.tokens.filter(isOther), content.pages.filter(isOther)];
    if (tokens.length === content.tokens.length && pages.length === content.pages.length)
      throw new UserError(`there is no token "${name}": see \`belfry token list\``, EXIT.notFound);
    return { ...content, tokens, pages };
  });
}

/** Follows the file: a token that is added or removed counts at once. */
export interface Tokens {
  /** Resolves with who presents this token, or what the page makes of its own for this place; null: nobody who may. */
  verify(presented: string, place: Place): Promise<TokenIdentity | null>;
  /** Whether it still may do anything. What a page holds open counts as its use. */
  isValid(identity: TokenIdentity): Promise<boolean>;
  /** What the file says now; uses of the page included that are not written yet. */
  current(): Promise<TokenFile>;
  /** Resolves when each use is written. */
  flush(): Promise<void>;
}

export interface TokensDeps {
  readonly file: string;
  /** Unix ms. */
  readonly now: () => number;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Reads nothing yet. */
export function createTokens(deps: TokensDeps): Tokens {
  return new FollowedTokens(deps);
}

const NONE: TokenFile = { v: 1, tokens: [], pages: [], page_port: null };

class FollowedTokens implements Tokens {
  readonly #deps: TokensDeps;
  #version = '';
  #content: TokenFile = NONE;
  /** Hashes of tokens to the day that was noted, or could not be. */
  readonly #noted = new Map<string, string>();
  /** Hashes of pages to their last use, Unix ms, and when that was last written. */
  readonly #used = new Map<string, number>();
  #written: number;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: TokensDeps) {
    this.#deps = deps;
    this.#written = deps.now();
  }

  async verify(presented: string, place: Place): Promise<TokenIdentity | null> {
    const hash = Buffer.from(sha256(presented), 'hex');
    const { tokens, pages } = await this.current();
    let found: StoredToken | StoredPage | null = null;
    // Every one is compared, whichever it is: how long it takes tells nothing.
    for (const known of [...tokens, ...pages]) if (timingSafeEqual(Buffer.from(known.hash, 'hex'), hash)) found = known;
    for (const page of pages) if (isVisitOf(presented, page, place)) found = page;
    if (found === null) return null;
    if (!('used_at' in found)) {
      this.#noteDay(found);
      return { id: found.hash, name: found.name, scopes: found.scopes };
    }
    return this.#isIdle(found) ? null : { id: this.#use(found), name: PAGE, scopes: ['page'] };
  }

  async isValid({ id }: TokenIdentity): Promise<boolean> {
    const { tokens, pages } = await this.current();
    if (tokens.some(({ hash }) => hash === id)) return true;
    const page = pages.find(({ hash }) => hash === id);
    if (page === undefined || this.#isIdle(page)) return false;
    this.#use(page);
    return true;
  }

  async current(): Promise<TokenFile> {
    const { file, log } = this.#deps;
    const found = await statTokens(file);
    if (found !== this.#version) {
      try {
        this.#content = await readTokenFile(file);
      } catch (error) {
        this.#content = NONE;
        log('the tokens of the HTTP interface cannot be read, so none is valid', { error: String(error) });
      }
      this.#version = found;
    }
    return this.#content;
  }

  flush(): Promise<void> {
    if (this.#used.size > 0) this.#write();
    return this.#writing;
  }

  #isIdle(page: StoredPage): boolean {
    if (page.used_at === 0) return true; // ended, whatever is remembered here
    return this.#deps.now() - Math.max(page.used_at, this.#used.get(page.hash) ?? 0) > IDLE;
  }

  #use({ hash }: StoredPage): string {
    const now = this.#deps.now();
    this.#used.set(hash, now);
    if (Math.abs(now - this.#written) > NOTED) this.#write();
    return hash;
  }

  /** One write a day and token, which no request waits for. */
  #noteDay({ hash, last_used }: StoredToken): void {
    const day = new Date(this.#deps.now()).toISOString().slice(0, 10);
    if (last_used === day || this.#noted.get(hash) === day) return;
    this.#noted.set(hash, day);
    this.#write();
  }

  /** A failure costs no more than that a browser has to be let in again. */
  #write(): void {
    const { file, now, log } = this.#deps;
    this.#written = now();
    const [used, noted] = [new Map(this.#used), new Map(this.#noted)];
    const write = (): Promise<void> =>
      updateTokenFile(file, ({ tokens, pages, ...rest }) => ({
        ...rest,
        tokens: tokens.map((one) => ({ ...one, last_used: noted.get(one.hash) ?? one.last_used })),
        pages: pages.map((one) => ({
          ...one,
          used_at: one.used_at === 0 ? 0 : Math.max(one.used_at, used.get(one.hash) ?? 0),
        })),
      }));
    this.#writing = this.#writing
      .then(write)
      .catch((error: unknown) => log('the use of a token could not be noted', { error: String(error) }));
  }
}
