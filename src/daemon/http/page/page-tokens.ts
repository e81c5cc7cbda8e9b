// How a browser is let in as the page: a code that works once becomes a token, kept as a hash in the file of tokens beside the page's port,
// so that an open page goes on after a restart.
import { randomBytes } from 'node:crypto';
import { type StoredPage, updateTokenFile } from '../../../http/token-file.ts';
import type { Tokens } from '../../../http/tokens.ts';
import { type Place, proofOf } from '../../../http/page-bearer.ts';
import { sha256 } from '../../../lib/hash.ts';

/** Ms that a code may be exchanged. */
const CODE = 60_000;
/** The same of a code for another tab: it is exchanged at once or never. */
const TAB_CODE = 10_000;
/** Ms since its last use in which a page is open somewhere, as far as anybody knows: one that nobody looks at uses it each minute, give or take one. */
const OPEN = 150_000;
/** Codes and browsers at once; the oldest go first. */
const MAX_TOKENS = 20;
/**
 * Only what was in use so shortly before a start goes on after it, ms. While nobody served the page, another user of this machine could
 * have bound its port, and had what a browser that reloads it keeps for it.
 */
const RESTART = 600_000;

export interface PageTokens {
  /** A code that may be exchanged once, within a minute. `used` is called then. */
  issueCode(used: () => void): string;
  /**
   * A code that may be exchanged once, within seconds, by who knows the secret with this SHA-256 (hexadecimal): a tab that another one lets in.
   * Null: it was given one already, or too many ask at once. `by`: the id of the page that lets it in.
   */
  issueTabCode(secretHash: string, by: string): string | null;
  /** `secret`: of a tab's code. Null: there is no such code, any more, or no room for a tab beside those that are open. */
  exchange(code: string, place: Place, secret?: string): Promise<string | null>;
  /**
   * Whether this page was let in since this place is served, by `belfry dashboard` or by a tab of which that is true. In a browser that has
   * an older one, a tab that asks may be a document of whoever had the address in between: somebody has to say that it is theirs.
   */
  isOfThisStart(id: string, place: Place): boolean;
  /** Shows a page that this is who let it in, before it sends anything else. Null: no such page is let in. */
  prove(name: string, nonce: string, place: Place): Promise<string | null>;
  /** What it owns, such as the notifications of its browser, outlives its idleness, and ends when it is removed. */
  setOwns(id: string, owns: boolean): Promise<void>;
  /** Signs out: whatever it owns ends too. */
  end(id: string): Promise<void>;
  /** Whether a page may still be open somewhere. */
  inUse(): Promise<boolean>;
  /** The port that it was last served at; null: none. */
  port(): Promise<number | null>;
  /** Another port than before: somebody else has that one, so every browser has to be let in again. */
  keepPort(port: number): Promise<void>;
}

/** Ends what was not in use shortly before. `now`: Unix ms. */
export async function openPageTokens(file: string, tokens: Tokens, now: () => number): Promise<PageTokens> {
  const { pages } = await tokens.current();
  const isOver = ({ used_at }: StoredPage): boolean => used_at !== 0 && now() - used_at > RESTART;
  if (pages.some(isOver)) await endPages(file, isOver);
  return new KeptPages(file, tokens, now);
}

class KeptPages implements PageTokens {
  readonly #file: string;
  readonly #tokens: Tokens;
  readonly #now: () => number;
  /** Hashes of codes. */
  readonly #codes = new Map<string, { readonly until: number; readonly used: () => void }>();
  /** Hashes of secrets to the hash of the code that each was given; null: it was tried. */
  readonly #tabCodes = new Map<string, { readonly until: number; readonly by: string; code: string | null }>();
  /** Hashes of pages to what served the place when the first of them was let in that lets in the others. */
  readonly #servedBy = new Map<string, string>();

  constructor(file: string, tokens: Tokens, now: () => number) {
    this.#file = file;
    this.#tokens = tokens;
    this.#now = now;
  }

  issueCode(used: () => void): string {
    const code = newCode();
    for (const known of this.#codes.keys()) if (this.#codes.size >= MAX_TOKENS) this.#codes.delete(known);
    this.#codes.set(sha256(code), { until: this.#now() + CODE, used });
    return code;
  }

  issueTabCode(secretHash: string, by: string): string | null {
    for (const [known, { until }] of this.#tabCodes) if (until < this.#now()) this.#tabCodes.delete(known);
    if (this.#tabCodes.has(secretHash) || this.#tabCodes.size >= MAX_TOKENS) return null;
    const code = newCode();
    this.#tabCodes.set(secretHash, { until: this.#now() + TAB_CODE, by, code: sha256(code) });
    return code;
  }

  async exchange(code: string, { serving }: Place, secret?: string): Promise<string | null> {
    if (!(secret === undefined ? this.#take(code) : this.#takeTabs(code, secret))) return null;
    const by = secret === undefined ? null : (this.#tabCodes.get(sha256(secret))?.by ?? '');
    const servedBy = by === null ? serving : this.#servedBy.get(by);
    await this.#tokens.flush(); // which pages are in use decides whose turn is over
    if (secret !== undefined && (await this.#isFull())) return null;
    const id = randomBytes(4).toString('hex');
    const token = `belfry_page_${id}_${randomBytes(32).toString('base64url')}`;
    const at = this.#now();
    const created = new Date(at).toISOString();
    const page: StoredPage = { name: `page-${id}`, hash: sha256(token), created_at: created, used_at: at, owns: false };
    await updateTokenFile(this.#file, (content) => ({ ...content, pages: withPage(content.pages, page) }));
    if (servedBy !== undefined) this.#servedBy.set(page.hash, servedBy);
    const { pages } = await this.#tokens.current();
    for (const known of this.#servedBy.keys())
      if (!pages.some(({ hash }) => hash === known)) this.#servedBy.delete(known);
    return token;
  }

  isOfThisStart(id: string, { serving }: Place): boolean {
    return this.#servedBy.get(id) === serving;
  }

  #take(code: string): boolean {
    const hash = sha256(code);
    const found = this.#codes.get(hash);
    this.#codes.delete(hash);
    found?.used();
    return found !== undefined && found.until >= this.#now();
  }

  /** A wrong code is the secret's last, too. */
  #takeTabs(code: string, secret: string): boolean {
    const found = this.#tabCodes.get(sha256(secret));
    if (found === undefined) return false;
    const isIt = found.code === sha256(code) && found.until >= this.#now();
    found.code = null;
    return isIt;
  }

  /** A tab that opens by itself ends none that is open. */
  async #isFull(): Promise<boolean> {
    const { pages } = await this.#tokens.current();
    return pages.filter(({ used_at }) => this.#now() - used_at < OPEN).length >= MAX_TOKENS;
  }

  async prove(name: string, nonce: string, place: Place): Promise<string | null> {
    const page = (await this.#tokens.current()).pages.find((one) => one.name === name && one.used_at !== 0);
    return page === undefined ? null : proofOf(page.hash, nonce, place);
  }

  async setOwns(id: string, owns: boolean): Promise<void> {
    await updateTokenFile(this.#file, (content) => ({
      ...content,
      pages: content.pages.map((page) => (page.hash === id ? { ...page, owns } : page)),
    }));
  }

  async end(id: string): Promise<void> {
    await updateTokenFile(this.#file, (content) => ({
      ...content,
      pages: content.pages.filter(({ hash }) => hash !== id),
    }));
  }

  async inUse(): Promise<boolean> {
    return (await this.#tokens.current()).pages.some(({ used_at }) => used_at !== 0);
  }

  async port(): Promise<number | null> {
    return (await this.#tokens.current()).page_port;
  }

  async keepPort(port: number): Promise<void> {
    const before = await this.port();
    if (port === before) return;
    if (before !== null) await endPages(this.#file, () => true);
    await updateTokenFile(this.#file, (content) => ({ ...content, page_port: port }));
  }
}

const newCode = (): string => randomBytes(24).toString('base64url');

/** Those that own something stay for that. */
function endPages(file: string, which: (page: StoredPage) => boolean): Promise<void> {
  return updateTokenFile(file, (content) => ({
    ...content,
    pages: content.pages
      .filter((page) => page.owns || !which(page))
      .map((page) => (which(page) ? { ...page, used_at: 0 } : page)),
  }));
}

/** Of those that own nothing the one unused for longest goes first. */
function withPage(pages: readonly StoredPage[], page: StoredPage): StoredPage[] {
  const owning = pages.filter(({ owns }) => owns).slice(1 - MAX_TOKENS);
  const others = pages.filter(({ owns }) => !owns).sort((a, b) => a.used_at - b.used_at);
  return [...owning, ...others.slice(1 - MAX_TOKENS), page];
}
