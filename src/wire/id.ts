// Ids made by the sender: unique, and sorted by time as text (UUID version 7).

/** `at`: Unix ms, its first 48 bits. */
export function newId(at: number): string {
  const time = Math.max(0, Math.trunc(at)).toString(16).padStart(12, '0').slice(-12);
  const variant = ((random(16) & 0x3fff) | 0x8000).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(12)}-${variant}-${hex(24)}${hex(24)}`;
}

/** The Unix ms in an id of {@link newId}; null for another id. */
export function timeOfId(id: string): number | null {
  const found = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id);
  return found ? Number.parseInt(`${found[1]}${found[2]}`, 16) : null;
}

// Math.random is seeded from the system's entropy in each process; the crypto module would cost the hook milliseconds.
function random(bits: number): number {
  return Math.floor(Math.random() * 2 ** bits);
}

function hex(bits: number): string {
  return random(bits)
    .toString(16)
    .padStart(bits / 4, '0');
}
