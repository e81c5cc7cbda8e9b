// browsers.json in the daemon's state: the key pair that proves who sends, made once, and the browsers that are sent to. 0600, replaced whole.
import { createECDH, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../lib/json/json.ts';
import { createTurns } from '../../lib/async/one-after-another.ts';
import { type Browser, browserSchema } from '../../model/channel/browsers.ts';

const fileSchema = z.object({
  v: z.literal(1),
  /** VAPID (RFC 8292), base64url. */
  publicKey: z.string().min(1),
  privateKey: z.string().min(1),
  browsers: z.array(browserSchema.extend({ owner: z.string().default('') })),
});
/** What the file holds. */
export type BrowserFile = z.output<typeof fileSchema>;

/** Browsers of one person. */
const MAX_BROWSERS = 20;

const inTurn = createTurns();
const fileIn = (folder: string): string => join(folder, 'browsers.json');

/** With the browsers whose owners are still let in. Null: nothing was kept yet. Throws where the file cannot be read, or is not ours. */
export async function readBrowsers(folder: string): Promise<BrowserFile | null> {
  let text: string;
  try {
    text = await readFile(fileIn(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const read = fileSchema.safeParse(parseJson(text));
  if (!read.success) throw new Error('browsers.json is damaged');
  const owners = await currentOwners(folder);
  return { ...read.data, browsers: read.data.browsers.filter(({ owner }) => owners.has(owner)) };
}

/** With a key pair where there was none. */
export function browsersWithKeys(folder: string): Promise<BrowserFile> {
  return inTurn(() => withKeys(folder));
}

/** False: there are as many as there may be. One of the same endpoint is replaced. */
export function addBrowser(folder: string, browser: Browser, owner: string): Promise<boolean> {
  return inTurn(async () => {
    const file = await withKeys(folder);
    const others = file.browsers.filter(({ endpoint }) => endpoint !== browser.endpoint);
    if (others.length >= MAX_BROWSERS) return false;
    await write(folder, { ...file, browsers: [...others, { ...browser, owner }] });
    return true;
  });
}

/** Returns how many of these there were. */
export function removeBrowsers(folder: string, endpoints: readonly string[]): Promise<number> {
  return inTurn(async () => {
    const file = await readBrowsers(folder);
    if (file === null || endpoints.length === 0) return 0;
    const browsers = file.browsers.filter(({ endpoint }) => !endpoints.includes(endpoint));
    const removed = file.browsers.length - browsers.length;
    if (removed > 0) await write(folder, { ...file, browsers });
    return removed;
  });
}

/** As RFC 8292 has them; the page asks for one long before anything is sent, which is what the library is loaded for. */
function makeKeys(): Pick<BrowserFile, 'publicKey' | 'privateKey'> {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  const privateKey = Buffer.alloc(32);
  const scalar = pair.getPrivateKey(); // without leading zeros
  scalar.copy(privateKey, privateKey.length - scalar.length);
  return { publicKey, privateKey: privateKey.toString('base64url') };
}

async function withKeys(folder: string): Promise<BrowserFile> {
  const kept = await readBrowsers(folder);
  if (kept !== null) return kept;
  const made: BrowserFile = { v: 1, ...makeKeys(), browsers: [] };
  await write(folder, made);
  return made;
}

async function write(folder: string, file: BrowserFile): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${fileIn(folder)}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, fileIn(folder));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What of the file of tokens (src/http/token-file.ts) says who is let in. */
const schema = z.object({ pages: z.array(z.object({ hash: z.string() })) });

/** Whoever owns a browser's subscription, a page that was let in, for as long as `belfry token list` shows it. None where the file cannot be read: nobody is sent to whom nobody let in. */
async function currentOwners(folder: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, 'tokens.json'), 'utf8').catch(() => '');
  const read = schema.safeParse(parseJson(text));
  return new Set(read.success ? read.data.pages.map(({ hash }) => hash) : []);
}
