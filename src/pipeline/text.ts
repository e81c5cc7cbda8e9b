// Text from agents is data: terminal controls and reading-order tricks go, lengths are bounded by graphemes.

/** C0 and C1 controls except tab and line feed, and the characters that turn the reading order of what follows. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\ufeff]/g;
/** Terminal sequences as a whole, so that no `[31m` is left behind. */
const SEQUENCES =
  /\u001b\][^\u0007\u001b]{0,2048}(?:\u0007|\u001b\\)|(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001b[ -/]{0,4}[0-~]/g;
/** A grapheme may be long; more code units than this each are not read. */
const UNITS_PER_GRAPHEME = 32;

/** ASCII without the carriage return, which joins a line feed. */
const PLAIN = /^[\t\n -~]*$/;

/** Made when first needed: its data takes megabytes. */
let segmenter: Intl.Segmenter | undefined;
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter;
}

/** Removes controls; line ends become line feeds. */
export function stripControls(text: string): string {
  return text.replaceAll(SEQUENCES, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll(CONTROLS, '');
}

/** Cuts to `limit` graphemes, the last one an ellipsis when something was left out. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Each of these characters is a grapheme, so nothing has to be segmented.
  if (PLAIN.test(text.slice(0, limit + 1))) return `${text.slice(0, limit - 1).trimEnd()}…`;
  const looked = text.slice(0, limit * UNITS_PER_GRAPHEME);
  let count = 0;
  let end = 0;
  let last = 0;
  for (const { index, segment } of graphemes().segment(looked)) {
    count += 1;
    if (count === limit) last = index;
    if (count > limit) return `${looked.slice(0, last).trimEnd()}…`;
    end = index + segment.length;
  }
  return end < text.length ? `${looked.slice(0, last > 0 ? last : end).trimEnd()}…` : text;
}

/** Several lines, cleaned, trimmed and bounded. */
export function sanitize(text: string, limit: number): string {
  return truncate(stripControls(text.slice(0, limit * UNITS_PER_GRAPHEME)).trim(), limit);
}

/** The same on one line. */
export function sanitizeLine(text: string, limit: number): string {
  return truncate(
    stripControls(text.slice(0, limit * UNITS_PER_GRAPHEME))
      .replaceAll(/\s+/g, ' ')
      .trim(),
    limit,
  );
}
