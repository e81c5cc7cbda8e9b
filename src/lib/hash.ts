// Digests that make stable ids and recognize content.
import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal; `length`: its first so many digits. */
export function sha256(data: string | Uint8Array, length = 64): string {
  return createHash('sha256').update(data).digest('hex').slice(0, length);
}
