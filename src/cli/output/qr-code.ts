// A link as a code that a phone's camera reads off the terminal.
import type { Io } from '../io.ts';

/** Light modules around the code. */
const BORDER = 2;
/** Dark on light, whatever the terminal's own colours are: the blocks are the light modules. */
const COLORS = ['\u001b[97;40m', '\u001b[0m'] as const;
/** Columns that the prompts before and after it take. */
const BAR = 4;

/** Shows it below a line of words, on a terminal that has room for it; nothing elsewhere. */
export async function showLink(
  { tty, json, color, columns }: Pick<Io, 'tty' | 'json' | 'color' | 'columns'>,
  link: string,
  show: (text: string) => void,
): Promise<void> {
  if (!tty || json) return;
  const { renderUnicodeCompact } = await import('uqr');
  const lines = renderUnicodeCompact(link, { border: BORDER }).split('\n');
  if (lines.some((line) => line.length > columns - BAR)) return;
  const [begin, end] = color ? COLORS : ['', ''];
  show(["Or point the phone's camera at this:", ...lines.map((line) => `${begin}${line}${end}`)].join('\n'));
}
