// Tokens of the page: one for each browser that `belfry dashboard` opened, made from a code that works once, ended by twelve idle hours.
// state/page.json holds their hashes and the page's port, so that an open page goes on after a restart.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { TokenIdentity, VerifyToken } from '../../http/tokens.ts';
import { sha256 } from '../../lib/hash.ts';
import { parseJson } from '../../lib/json.ts';
import { replaceFile } from '../../lib/replace-file.ts';
import type { Log } from '../log.ts';

/** The name that its tokens go by. */
export const PAGE = 'the page';
/** Hours without a request after which a token has ended. */
export const IDLE_HOURS = 12;

const IDLE = IDLE_HOURS * 3_600_000;
/** Ms that a code may be exchanged. */
const CODE = 60_000;
/** A use is written so often at most, ms: what is lost in a crash shortens a token by this. */
const NOTED = 300_000;
/** Codes and tokens at once; the oldest go first. */
const MOST = 20;

const schema = z.object({
  v: z.literal(1),
  port: z.int().min(1).max(65_535).nullable(),
  tokens: z.array(z.object({ hash: z.string(), used_at: z.number() })),
});
type State = z.output<typeof schema>;

/** What may be done as the page. */
const IDENTITY: TokenIdentity = { name: PAGE, scopes: ['read', 'answer'] };

export interface PageTokens {
  /** A code that may be exchanged once, within a minute. */
  issueCode(): string;
  /** Null: there is no such code, any more. */
  exchange(code: string): Promise<string | null>;
  readonly verify: VerifyToken;
  /** Whether a page may still be open somewhere. */
  inUse(): boolean;
  /** The port that it was last served at; null: none. */
  port(): number | null;
  keepPort(port: number): Promise<void>;
}

/** Reads what was kept; a file that cannot be read counts as none. `now`: Unix ms. */
export async function loadPageTokens(folder: string, now: () => number, log: Log): Promise<PageTokens> {
  const file = join(folder, 'page.json');
  const read = schema.safeParse(parseJson(await readFile(file, 'utf8').catch(() => 'null')));
  return new KeptTokens(file, read.success ? read.data : { v: 1, port: null, tokens: [] }, now, log);
}

class KeptTokens implements PageTokens {
  readonly #file: string;
  readonly #now: () => number;
  readonly #log: Log;
  /** Hashes of codes to their end. */
  readonly #codes = new Map<string, number>();
  /** Hashes of tokens to their last use. */
  readonly #tokens: Map<string, number>;
  #port: number | null;
  #noted = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, { port, tokens }: State, now: () => number, log: Log) {
    this.#file = file;
    this.#now = now;
    this.#log = log;
    this.#port = port;
    this.#tokens = new Map(tokens.map(({ hash, used_at }) => [hash, used_at]));
  }

  issueCode(): string {
    const code = randomBytes(24).toString('base64url');
    keepNewest(this.#codes, MOST - 1);
    this.#codes.set(sha256(code), this.#now() + CODE);
    return code;
  }

  async exchange(code: string): Promise<string | null> {
    const hash = sha256(code);
    const until = this.#codes.get(hash);
    this.#codes.delete(hash);
    if (until === undefined || until < this.#now()) return null;
    const token = `belfry_page_${randomBytes(32).toString('base64url')}`;
    keepNewest(this.#tokens, MOST - 1);
    this.#tokens.set(sha256(token), this.#now());
    await this.#write();
    return token;
  }

  readonly verify: VerifyToken = async (presented) => {
    const hash = sha256(presented);
    const used = this.#tokens.get(hash);
    if (used === undefined) return null;
    const now = this.#now();
    if (now - used > IDLE) {
      this.#tokens.delete(hash);
      return null;
    }
    this.#tokens.delete(hash); // the one used last comes last
    this.#tokens.set(hash, now);
    if (now - this.#noted > NOTED) void this.#write();
    return IDENTITY;
  };

  inUse(): boolean {
    const now = this.#now();
    return [...this.#tokens.values()].some((used) => now - used <= IDLE);
  }

  port(): number | null {
    return this.#port;
  }

  async keepPort(port: number): Promise<void> {
    if (port === this.#port) return;
    this.#port = port;
    await this.#write();
  }

  /** One after the other; a failure costs no more than that an open page has to be opened again. */
  #write(): Promise<void> {
    this.#noted = this.#now();
    const tokens = [...this.#tokens].map(([hash, used_at]) => ({ hash, used_at }));
    const text = JSON.stringify({ v: 1, port: this.#port, tokens } satisfies State);
    this.#writing = this.#writing
      .then(() => replaceFile(this.#file, text))
      .catch((error: unknown) => this.#log('the tokens of the page could not be kept', { error: String(error) }));
    return this.#writing;
  }
}

function keepNewest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
