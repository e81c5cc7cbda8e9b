// The shortest edit between two lists of lines (Myers, 1986), bounded.

/** One line of a diff. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/** Most differences that are looked for; beyond, the differing middle is shown as replaced. */
const BOUND = 1_000;

/** Steps from `a` to `b`. */
export function shortestEdit(a: readonly string[], b: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [x, y] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const same = (lines: readonly string[]): DiffLine[] => lines.map((line) => ({ sign: ' ', line }));
  return [...same(a.slice(0, head)), ...middle(x, y), ...same(a.slice(a.length - tail))];
}

function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, BOUND); d++) {
    const next = new Map(reach);
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(reach, k, d) ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, [...trace, reach]);
    }
    trace.push(reach);
    reach = next;
  }
  return [...a.map((line): DiffLine => ({ sign: '-', line })), ...b.map((line): DiffLine => ({ sign: '+', line }))];
}

function goesDown(reach: ReadonlyMap<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && (reach.get(k - 1) ?? 0) < (reach.get(k + 1) ?? 0));
}

function walkBack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): DiffLine[] {
  const steps: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const reach = trace[d] ?? new Map<number, number>();
    const k = x - y;
    const down = goesDown(reach, k, d);
    const fromK = down ? k + 1 : k - 1;
    const fromX = reach.get(fromK) ?? 0;
    const fromY = fromX - fromK;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      steps.push({ sign: ' ', line: a[--x] ?? '' });
      y--;
    }
    if (d === 0) break;
    if (down) steps.push({ sign: '+', line: b[--y] ?? '' });
    else steps.push({ sign: '-', line: a[--x] ?? '' });
  }
  return steps.reverse();
}
