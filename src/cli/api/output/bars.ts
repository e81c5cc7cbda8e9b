// Numbers drawn with block characters: a bar, and a sparkline of numbers in a row.

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** A bar as long as the value's share of `most`, to an eighth of a column; anything above zero is visible. */
export function bar(value: number, most: number, width: number): string {
  if (!(value > 0) || !(most > 0)) return '';
  const eighths = Math.max(1, Math.round(Math.min(1, value / most) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/** A character a value, from 0 to the highest; where there are more than `width`, the mean of neighbours. Null: nothing known. */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const count = Math.min(values.length, width);
  const means = Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * values.length) / count);
    const some = values.slice(from, Math.floor(((i + 1) * values.length) / count)).filter((one) => one !== null);
    return some.length === 0 ? null : some.reduce((sum, one) => sum + one, 0) / some.length;
  });
  const most = means.reduce<number>((max, one) => Math.max(max, one ?? 0), 0);
  return means
    .map((one) => {
      if (one === null) return ' ';
      const level = most > 0 ? Math.floor((Math.max(0, one) / most) * (LEVELS.length - 1) + 0.5) : 0;
      return LEVELS[level] ?? LEVELS[0];
    })
    .join('');
}
