// The settings and secrets of one machine as a file for another, sealed with a passphrase or plain.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../../lib/json/json.ts';

const movedSchema = z.object({
  /** The text of config.toml; null: there is none. */
  config: z.string().nullable(),
  /** The variables of a systemd service; null: there are none. */
  service_env: z.string().nullable(),
  secrets: z.array(z.object({ name: z.string(), value: z.string(), store: z.enum(['file', 'keyring']) })),
  /** Agents that have the hooks; `answer`: the answering ones too. */
  agents: z.array(z.object({ name: z.string(), answer: z.boolean() })),
});
/** What moves from one machine to another. */
export type MovedSettings = z.output<typeof movedSchema>;

/** base64 */
const bytes = z.string().transform((text) => Buffer.from(text, 'base64'));
const fileSchema = z.object({
  belfry_settings: z.int().min(1),
  /** ISO 8601. */
  made: z.string(),
  /** The machine's name. */
  from: z.string(),
  settings: movedSchema.optional(),
  /** AES-256-GCM of the settings as JSON, the key by scrypt from the passphrase. */
  sealed: z.object({ salt: bytes, iv: bytes, tag: bytes, data: bytes }).optional(),
});
/** The file, not opened yet. */
export type MovedFile = z.output<typeof fileSchema>;

const VERSION = 1;
/** scrypt (RFC 7914): 64 MB and about a fifth of a second for each guess. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

const keyOf = (passphrase: string, salt: Uint8Array): Buffer => scryptSync(passphrase.normalize('NFC'), salt, 32, COST);

/** The text of the file. `passphrase`: null leaves the secrets readable. */
export function movedText(
  settings: MovedSettings,
  passphrase: string | null,
  { made, from }: Pick<MovedFile, 'made' | 'from'>,
): string {
  const about = { belfry_settings: VERSION, made, from };
  if (passphrase === null) return `${JSON.stringify({ ...about, settings }, null, 2)}\n`;
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), iv);
  const data = Buffer.concat([cipher.update(JSON.stringify(settings), 'utf8'), cipher.final()]);
  const parts = { salt, iv, tag: cipher.getAuthTag(), data };
  const sealed = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.toString('base64')]));
  return `${JSON.stringify({ ...about, sealed }, null, 2)}\n`;
}

/** Reads the file's text; or why it cannot be used, as the end of a sentence about the file. */
export function readMoved(text: string): MovedFile | { readonly fault: string } {
  const read = fileSchema.safeParse(parseJson(text));
  if (!read.success) return { fault: 'is no file that `belfry config export` wrote' };
  if (read.data.belfry_settings > VERSION) return { fault: 'was written by a newer Belfry: upgrade this one first' };
  const { settings, sealed } = read.data;
  if ((settings === undefined) === (sealed === undefined)) return { fault: 'is damaged' };
  return read.data;
}

/** What is in it; null: the passphrase is wrong, or the file was changed. `passphrase`: null for a plain file. */
export function openMoved({ settings, sealed }: MovedFile, passphrase: string | null): MovedSettings | null {
  if (sealed === undefined) return settings ?? null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(passphrase ?? '', sealed.salt), sealed.iv);
    decipher.setAuthTag(sealed.tag);
    const text = Buffer.concat([decipher.update(sealed.data), decipher.final()]).toString('utf8');
    return movedSchema.safeParse(parseJson(text)).data ?? null;
  } catch {
    return null; // not authentic
  }
}
