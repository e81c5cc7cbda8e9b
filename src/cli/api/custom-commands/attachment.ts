// Reads a file to attach: its media type from its first bytes, else its ending; its base name, never its path.
import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { EXIT, UserError } from '../../../model/errors.ts';

/** A file ready to be attached. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  /** The text of a text file; null for others. */
  readonly text: string | null;
}

const MOST_BYTES = 20_000_000;

/** Images: media type, how such a file begins, how its name ends. */
const IMAGES: readonly (readonly [string, RegExp, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/, /\.png$/i],
  ['image/jpeg', /^\xff\xd8\xff/, /\.jpe?g$/i],
  ['image/gif', /^GIF8[79]a/, /\.gif$/i],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/, /\.webp$/i],
  ['image/bmp', /^BM/, /\.bmp$/i],
  ['image/tiff', /^(II\*\0|MM\0\*)/, /\.tiff?$/i],
  ['image/avif', /^[\s\S]{4}ftypavif/, /\.avif$/i],
  ['image/heic', /^[\s\S]{4}ftyphei[cx]/, /\.hei[cf]$/i],
  ['image/svg+xml', /^<svg[\s>]/, /\.svg$/i],
];

const TEXTS: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.css': 'text/css',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

/** The file as what it is attached as; refused with a line when it is something else. */
export async function readAttachment(path: string, as: 'image' | 'file'): Promise<Attachment> {
  const bytes = await contents(path);
  const name = basename(path);
  const data = bytes.toString('base64');
  const start = bytes.subarray(0, 32).toString('latin1');
  if (as === 'image') {
    const known = IMAGES.find(([, begins]) => begins.test(start)) ?? IMAGES.find(([, , ends]) => ends.test(name));
    if (!known) throw refused(`--image ${path} is not an image`);
    return { name, mediaType: known[0], data, text: null };
  }
  const ending = extname(name).toLowerCase();
  if (start.startsWith('%PDF-') || ending === '.pdf') return { name, mediaType: 'application/pdf', data, text: null };
  const text = textOf(bytes);
  if (text === null) throw refused(`--file ${path} is neither a PDF nor a text file`);
  return { name, mediaType: TEXTS[ending] ?? 'text/plain', data, text };
}

async function contents(path: string): Promise<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const about = await file.stat();
      if (!about.isFile()) throw refused(`${path} is not a file`);
      if (about.size > MOST_BYTES) throw refused(`${path} is larger than ${MOST_BYTES / 1_000_000} MB`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw refused(`cannot read ${path} (${code})`);
  }
}

const refused = (why: string): UserError => new UserError(`${why}; nothing was sent`, EXIT.usage);

/** The text of UTF-8 bytes without NUL; null for anything else. */
function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null; // Not UTF-8, so not a text.
  }
}
