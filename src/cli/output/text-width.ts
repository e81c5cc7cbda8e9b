// How many columns of a terminal a text takes: two for East Asian and pictures, none for marks and joiners.

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NONE = /^[\p{M}\p{Cf}]$/u;

/** The columns of one line of text without controls. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const point of text) columns += NONE.test(point) ? 0 : WIDE.test(point) ? 2 : 1;
  return columns;
}
