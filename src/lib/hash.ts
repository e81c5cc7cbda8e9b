// Digests that make stable ids and recognize content.
import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal; `length`: its first so many digits. */
export function sha256(data: string | Uint8Array, length = 64): string {
  return createHash('sha256').update(data).digest('hex').slice(0, length);
}

const SPACE: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 32]);

/** SHA-256 (hex) of the bytes without white space at either end: the same input is the same digest, however it was piped. */
export function contentDigest(raw: Uint8Array): string {
  let start = 0;
  let end = raw.byteLength;
  while (start < end && SPACE.has(raw[start] ?? 0)) start++;
  while (end > start && SPACE.has(raw[end - 1] ?? 0)) end--;
  return sha256(raw.subarray(start, end));
}
