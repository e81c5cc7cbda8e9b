// Ids made by the sender: unique, and sorted by time as text (UUID version 7).

/** `at`: Unix ms, its first 48 bits. `entropy`: 19 hex digits instead of random ones, for an id that can be made again. */
export function newId(at: number, entropy = hex(12) + hex(28) + hex(36)): string {
  const time = Math.trunc(at).toString(16).padStart(12, '0');
  const groups = [entropy.slice(0, 3), entropy.slice(3, 6), entropy.slice(6, 18)];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${groups[0]}-8${groups[1]}-${groups[2]}`;
}

// Math.random is seeded from the system's entropy in each process; the crypto module would cost the hook milliseconds.
function hex(bits: number): string {
  const number = Math.floor(Math.random() * 2 ** bits);
  return number.toString(16).padStart(bits / 4, '0');
}
