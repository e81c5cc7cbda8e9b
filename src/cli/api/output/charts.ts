// What a person wants to see of analytics beside the numbers: how they went, and who or what has how much of them.
import { createColors } from 'picocolors';
import type { Breakdown, Endpoint } from '../../../api/contract/endpoint.ts';
import { cutGraphemes, oneLine } from '../../../lib/text/text.ts';
import type { Io } from '../../io.ts';
import { bar, sparkline } from './bars.ts';
import { cell } from './cell.ts';
import { columnsOf } from '../../output/text-width.ts';

type Row = Readonly<Record<string, unknown>>;

/** Fewer days have no shape. */
const FEWEST_DAYS = 3;
const MOST_NAMES = 10;
const LONGEST_NAME = 32;
const WIDEST_SPARK = 40;
const WIDEST_BAR = 40;
const NARROWEST_BAR = 6;

/** The charts of rows that are all there; empty where there is nothing to draw. */
export function drawCharts(rows: readonly Row[], endpoint: Endpoint, io: Pick<Io, 'color' | 'columns'>): string[] {
  const days = [...new Set(rows.map((row) => row['date']).filter((day) => typeof day === 'string'))].sort();
  const grouped = rows.some((row) => row['group_key'] !== undefined && row['group_key'] !== null);
  const lines = days.length === rows.length ? trends(rows, days, endpoint, io) : [];
  for (const chart of grouped ? groupChart(endpoint) : (endpoint.charts ?? []))
    lines.push(...breakdown(rows, days, chart, io));
  return lines;
}

/** Grouped rows are added up by group, where their number may be. */
function groupChart({ headline, totals }: Endpoint): Breakdown[] {
  if (headline === undefined || !totals?.includes(headline)) return [];
  return [{ title: `${headline} by group`, name: 'group_key', count: headline }];
}

function trends(
  rows: readonly Row[],
  days: readonly string[],
  endpoint: Endpoint,
  io: Pick<Io, 'color' | 'columns'>,
): string[] {
  if (days.length < FEWEST_DAYS) return [];
  const ordered = [...rows].sort((a, b) => String(a['date']).localeCompare(String(b['date'])));
  const names = [...new Set([...(endpoint.headline ? [endpoint.headline] : []), ...(endpoint.totals ?? [])])];
  const series = names.flatMap((name) => {
    const values = ordered.map((row) => (typeof row[name] === 'number' ? row[name] : null));
    const known = values.filter((value) => value !== null);
    if (known.length < FEWEST_DAYS) return [];
    const [low, high] = [Math.min(...known), Math.max(...known)].map((value) => cell(name, value, 'grouped'));
    return [{ name, values, range: `${low} to ${high}` }];
  });
  if (series.length === 0) return [];
  const label = Math.max(...series.map(({ name }) => name.length));
  const range = Math.max(...series.map((one) => one.range.length));
  const width = Math.min(WIDEST_SPARK, io.columns - label - range - 4);
  if (width < FEWEST_DAYS) return [];
  const colors = createColors(io.color);
  const spark = Math.min(width, days.length);
  return [
    '',
    colors.bold(`${days[0]} to ${days.at(-1)}, lowest and highest day`),
    ...series.map(
      ({ name, values, range: words }) =>
        `${name.padEnd(label)}  ${colors.cyan(sparkline(values, spark))}  ${words.padStart(range)}`,
    ),
  ];
}

function breakdown(
  rows: readonly Row[],
  days: readonly string[],
  { title, list, name, count }: Breakdown,
  io: Pick<Io, 'color' | 'columns'>,
): string[] {
  const totals = new Map<string, { sum: number; byDay: Map<string, number> }>();
  for (const row of rows) {
    const items = list === undefined ? [row] : Array.isArray(row[list]) ? (row[list] as Row[]) : [];
    for (const item of items) {
      const value = item[count];
      if (typeof value !== 'number') continue;
      // A user without an e-mail address is still one user.
      const key = oneLine(String(item[name] ?? item['user_id'] ?? '(none)'));
      const known = totals.get(key) ?? { sum: 0, byDay: new Map<string, number>() };
      const day = String(row['date']);
      known.sum += value;
      known.byDay.set(day, (known.byDay.get(day) ?? 0) + value);
      totals.set(key, known);
    }
  }
  const all = [...totals].sort((a, b) => b[1].sum - a[1].sum);
  const whole = all.reduce((sum, [, { sum: own }]) => sum + own, 0);
  if (all.length < 2 || whole <= 0) return [];
  const top = all.slice(0, MOST_NAMES).map(([key, { sum, byDay }]) => ({
    label: cutGraphemes(key, Math.min(LONGEST_NAME, Math.floor(io.columns / 3)), columnsOf),
    sum,
    spark: days.map((day) => byDay.get(day) ?? 0),
    many: false,
  }));
  const others = all.slice(MOST_NAMES);
  if (others.length > 0)
    top.push({
      label: `${others.length} others`,
      many: true,
      sum: others.reduce((sum, [, { sum: own }]) => sum + own, 0),
      spark: days.map((day) => others.reduce((sum, [, { byDay }]) => sum + (byDay.get(day) ?? 0), 0)),
    });
  return [
    '',
    createColors(io.color).bold(others.length > 0 ? `${title}, the first ${MOST_NAMES}` : title),
    ...shares(top, whole, days.length >= FEWEST_DAYS, count, io),
  ];
}

/** One name with its sum, or all the others together. */
interface Share {
  readonly label: string;
  readonly sum: number;
  readonly spark: readonly number[];
  /** All the others: without a bar, which would leave those of single names too short to compare. */
  readonly many: boolean;
}

/** A line a name: sum, share, bar, and where there are days enough, how they went. */
function shares(
  top: readonly Share[],
  whole: number,
  sparks: boolean,
  count: string,
  io: Pick<Io, 'color' | 'columns'>,
): string[] {
  const colors = createColors(io.color);
  const sums = top.map(({ sum }) => cell(count, sum, 'grouped'));
  const label = Math.max(...top.map((one) => columnsOf(one.label)));
  const number = Math.max(...sums.map((one) => one.length));
  const left = io.columns - label - number - '  100 %    '.length;
  const days = sparks ? Math.min(top[0]?.spark.length ?? 0, Math.floor(left / 2), WIDEST_SPARK) : 0;
  const room = left - (days > 0 ? days + 2 : 0);
  const [width, spark] = room >= NARROWEST_BAR ? [Math.min(room, WIDEST_BAR), days] : [Math.max(0, left), 0];
  const most = Math.max(...top.map(({ sum, many }) => (many ? 0 : sum)));
  return top.map((one, i) => {
    const share = `${Math.round((one.sum / whole) * 100)} %`.padStart(5);
    const drawn = one.many ? '' : bar(one.sum, most, width);
    const trend = spark > 0 ? `  ${colors.cyan(sparkline(one.spark, spark))}` : '';
    const pad = ' '.repeat(label - columnsOf(one.label));
    return `${one.label}${pad}  ${(sums[i] ?? '').padStart(number)}  ${share}  ${drawn.padEnd(trend ? width : 0)}${trend}`.trimEnd();
  });
}
