// A chart over days: one line a series, with axes, unit and legend. uPlot is loaded where one is drawn.
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { theme } from '../lib/theme.ts';
import type { Table } from '../lib/usage-views.ts';

/** Pixels. */
const HEIGHT = 280;
/** Lines at most: more cannot be distinguished. The rest is drawn as one. */
const MOST = 6;

export function UsageChart({
  table,
  unit,
  title,
}: {
  readonly table: Table;
  readonly unit: string;
  readonly title: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const lines = linesOf(table);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const over = new AbortController();
    const redraw = (): void => {
      draw(element, table.days, lines, unit, over.signal).catch((error: unknown) => console.error(error));
    };
    redraw();
    const colors = matchMedia('(prefers-color-scheme: dark)');
    colors.addEventListener('change', redraw, { signal: over.signal });
    window.addEventListener('resize', redraw, { signal: over.signal });
    return () => over.abort();
  }, [table, unit, theme.value]);
  return (
    <figure class="chart" aria-label={`${title}: ${unit} by day; the table below has the same numbers`}>
      <figcaption>
        <ul class="legend">
          {lines.map(({ name }, index) => (
            <li key={name} class={`series-${index}`}>
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

function linesOf({ days, series }: Table): readonly Line[] {
  if (series.length <= MOST) return series;
  const rest = series.slice(MOST - 1);
  const values = days.map((_, day) => rest.reduce((sum, one) => sum + (one.values[day] ?? 0), 0));
  return [...series.slice(0, MOST - 1), { name: `${rest.length} others`, values }];
}

async function draw(
  element: HTMLElement,
  days: readonly string[],
  lines: readonly Line[],
  unit: string,
  signal: AbortSignal,
): Promise<void> {
  const { default: Chart } = await import('uplot');
  if (signal.aborted) return;
  const color = colorsIn(element);
  const ink = color('meta');
  const axis = { stroke: ink, grid: { stroke: color('badge', 'backgroundColor'), width: 1 }, ticks: { show: false } };
  const options: uPlot.Options = {
    ...{ width: element.clientWidth, height: HEIGHT, legend: { show: false }, cursor: { drag: { setScale: false } } },
    tzDate: (seconds) => Chart.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    scales: { y: { range: (_, __, most) => [0, most === 0 ? 1 : most * 1.05] } },
    series: [{}, ...lines.map(({ name }, index) => ({ label: name, stroke: color(`series-${index}`), width: 2 }))],
    axes: [axis, { ...axis, label: unit, size: 64, values: (_, splits) => splits.map(short) }],
  };
  element.replaceChildren();
  const data = [days.map((day) => Date.parse(day) / 1_000), ...lines.map(({ values }) => [...values])];
  new Chart(options, data as uPlot.AlignedData, element);
}

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
