// Random numbers that are always the same for the same words: the mock's data come from its seed and the date.

/** Draws from 0 (included) to 1 (not included). */
export type Draw = () => number;

/** A generator that depends on all of `words` and nothing else. */
export function seeded(...words: readonly (string | number)[]): Draw {
  let state = fnv1a(words.join('|'));
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from `low` to `high`, both included. */
export const between = (draw: Draw, low: number, high: number): number => low + Math.floor(draw() * (high - low + 1));

/** One of the items. */
export function oneOf<const L extends readonly [unknown, ...unknown[]]>(draw: Draw, items: L): L[number] {
  return items[Math.floor(draw() * items.length)] ?? items[0];
}

/** An id of 8 hexadecimal digits a part. */
export function hex(draw: Draw, parts = 1): string {
  return Array.from({ length: parts }, () =>
    Math.floor(draw() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
}

/** A UUID of version 4. */
export function uuid(draw: Draw): string {
  const digits = hex(draw, 4);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
