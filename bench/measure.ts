// What a benchmark yields, and the arithmetic.

/** One figure with its spread. */
export interface Measure {
  readonly section: string;
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'KB' | 'bytes' | '1/s' | 'count';
  /** Number of runs or events behind it. */
  readonly runs: number;
  /** The median, or the only value. */
  readonly value: number;
  readonly p95?: number;
  readonly p99?: number;
  /** Median divided by the median of `against`, from the same interleaved run. */
  readonly ratio?: number;
  readonly against?: string;
  readonly goal?: string;
  readonly met?: boolean;
}

/** One part of the benchmarks. `full`: long enough for docs/contributing/performance.md. */
export interface Section {
  readonly name: string;
  /** What is measured and how, for the page. */
  readonly about: string;
  readonly run: (options: { readonly full: boolean }) => Promise<readonly Measure[]>;
}

/** The value below which the share `q` of the numbers lies. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** A measure of many values. */
export function spread(
  section: string,
  name: string,
  unit: Measure['unit'],
  numbers: readonly number[],
  more: Partial<Measure> = {},
): Measure {
  const [value, p95, p99] = [quantile(numbers, 0.5), quantile(numbers, 0.95), quantile(numbers, 0.99)];
  return { section, name, unit, runs: numbers.length, value, p95, ...(numbers.length >= 100 && { p99 }), ...more };
}
