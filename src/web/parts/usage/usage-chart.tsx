// A chart over days: a line or bars a series, with axes, unit and legend. uPlot is loaded where one is drawn.
import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { theme } from '../../lib/theme.ts';
import type { Table } from '../../lib/usage/usage-views.ts';

/** Pixels. */
const HEIGHT = 280;
/** Lines at most: more cannot be distinguished. The rest is drawn as one. */
const MAX_LINES = 6;

interface UsageChartProps {
  readonly table: Table;
  /** Of its numbers. */
  readonly unit: string;
  readonly title: string;
  /** Bars where most days have nothing; lines without it. */
  readonly as?: 'lines' | 'bars';
  /** Days add up; without it the last day is what is shown. */
  readonly sums?: boolean;
}

export function UsageChart({ table, unit, title, as = 'lines', sums = true }: UsageChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const lines = linesOf(table);
  /** The day that somebody points at; null: none. */
  const [pointed, pointAt] = useState<number | null>(null);
  const at = pointed ?? (sums ? null : table.days.length - 1);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const over = new AbortController();
    const redraw = (): void => {
      draw(element, table.days, { lines, as, pointAt }, over.signal).catch((error: unknown) => console.error(error));
    };
    redraw();
    const colors = matchMedia('(prefers-color-scheme: dark)');
    colors.addEventListener('change', redraw, { signal: over.signal });
    window.addEventListener('resize', redraw, { signal: over.signal });
    return () => over.abort();
  }, [table, theme.value]);
  return (
    <figure class="chart" aria-label={`${title}: ${unit} by day; the table below has the same numbers`}>
      <figcaption>
        <p class="note">
          {at === null
            ? `In all these days, ${unit}`
            : `On ${dayText(Date.parse(table.days[at] ?? '') / 1_000)}, ${unit}`}
        </p>
        <ul class="legend">
          {lines.map(({ name }, index) => (
            <li key={name} class={`series-${index}`} data-value={shownOf(lines[index], at)}>
              <span>{name}</span>
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={place} />
    </figure>
  );
}

type Line = Pick<Table['series'][number], 'name' | 'values'>;

/** Of a day, else of all of them. */
function shownOf(line: Line | undefined, day: number | null): string {
  const values = line?.values ?? [];
  return short(day === null ? values.reduce((sum: number, one) => sum + (one ?? 0), 0) : (values[day] ?? 0));
}

function linesOf({ days, series }: Table): readonly Line[] {
  if (series.length <= MAX_LINES) return series;
  const rest = series.slice(MAX_LINES - 1);
  const values = days.map((_, day) => rest.reduce((sum, one) => sum + (one.values[day] ?? 0), 0));
  return [...series.slice(0, MAX_LINES - 1), { name: `${rest.length} others`, values }];
}

interface Drawing extends Required<Pick<UsageChartProps, 'as'>> {
  readonly lines: readonly Line[];
  readonly pointAt: (day: number | null) => void;
}

async function draw(
  element: HTMLElement,
  days: readonly string[],
  { lines, as, pointAt }: Drawing,
  signal: AbortSignal,
): Promise<void> {
  const { default: Chart } = await import('uplot');
  if (signal.aborted) return;
  const color = colorsIn(element);
  const ink = color('meta');
  const axis = { stroke: ink, grid: { stroke: color('badge', 'backgroundColor'), width: 1 }, ticks: { show: false } };
  const paths = as === 'bars' ? Chart.paths.bars?.({ size: [0.6, 40] }) : undefined;
  const look = (stroke: string): uPlot.Series =>
    paths === undefined ? { stroke, width: 2 } : { paths, points: { show: false }, stroke, fill: stroke, width: 0 };
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { setScale: false } },
    hooks: { setCursor: [({ cursor: { idx } }) => pointAt(idx ?? null)] },
    tzDate: (seconds) => Chart.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    scales: {
      ...(paths === undefined ? {} : { x: { range: (_, first, last) => [first - HALF_DAY, last + HALF_DAY] } }),
      y: { range: (_, __, most) => [0, most === 0 ? 1 : most * 1.05] },
    },
    series: [{}, ...lines.map(({ name }, index) => ({ label: name, ...look(color(`series-${index}`)) }))],
    axes: [
      { ...axis, incrs: DAYS, space: 64, size: 30, values: (_, splits) => splits.map(dayText) },
      { ...axis, size: 56, values: (_, splits) => splits.map(short) },
    ],
  };
  element.replaceChildren();
  const data = [days.map((day) => Date.parse(day) / 1_000), ...lines.map(({ values }) => [...values])];
  new Chart(options, data as uPlot.AlignedData, element);
}

/** Seconds: a bar is as wide as its day, on the first and the last one too. */
const HALF_DAY = 43_200;

/** Steps of the days' axis, seconds: never a part of a day. */
const DAYS = [1, 2, 7, 14, 28, 91, 364].map((days) => days * 86_400);

/** `Nov 21` in the reader's own form; Unix seconds. */
const dayText = (at: number): string =>
  new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(at * 1_000);

/** `1.2M` in the reader's own form. */
const short = (value: number): string => Intl.NumberFormat(undefined, { notation: 'compact' }).format(value);

/** Colors of the style sheet as a canvas takes them. */
function colorsIn(element: HTMLElement): (name: string, of?: 'color' | 'backgroundColor') => string {
  return (name, of = 'color') => {
    const probe = element.appendChild(document.createElement('span'));
    probe.className = name;
    const found = getComputedStyle(probe)[of];
    probe.remove();
    return found;
  };
}
