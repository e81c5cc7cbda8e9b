// Usage: how the organization uses its agents, by day, as a chart, a table and a file.
import { call } from '../api/access.ts';
import { useLive } from '../api/live.ts';
import { saveFile, toCsv } from '../lib/csv.ts';
import { now } from '../lib/clock.ts';
import { daysAgo, yesterday } from '../lib/days.ts';
import { place, setQuery } from '../lib/place.ts';
import { rowsOf, type Table, tableOf, VIEWS } from '../lib/usage-views.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ReadinessTable } from '../parts/readiness-table.tsx';
import { Shown } from '../parts/shown.tsx';
import { UsageChart } from '../parts/usage-chart.tsx';
import { UsageTable } from '../parts/usage-table.tsx';

/** Days that are shown where the address names none. */
const DAYS = 28;

export function UsagePage() {
  const { query } = place.value;
  const shown = query.get('show') ?? 'models';
  const range = { from: query.get('from') ?? daysAgo(DAYS, now.value), to: query.get('to') ?? yesterday(now.value) };
  return (
    <>
      <h1>Usage</h1>
      <nav class="tabs" aria-label="What is shown">
        {[...VIEWS, { name: 'readiness', title: 'Readiness' }].map(({ name, title }) => (
          <a key={name} href={addressOf(name, query)} aria-current={name === shown ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {shown === 'readiness' ? <ReadinessTable /> : <DayView name={shown} {...range} />}
    </>
  );
}

/** Another view of the same days. */
function addressOf(name: string, query: URLSearchParams): string {
  const next = new URLSearchParams(query);
  next.set('show', name);
  return `/usage?${next}`;
}

interface DayViewProps {
  readonly name: string;
  /** Days, both included. */
  readonly from: string;
  readonly to: string;
}

function DayView({ name, from, to }: DayViewProps) {
  const view = VIEWS.find((one) => one.name === name) ?? VIEWS[0];
  const method = view?.method ?? 'tokens';
  const live = useLive(`usage ${method} ${from} ${to}`, [], (signal) =>
    call('service.get', { resource: 'analytics', method, startDate: from, endDate: to }, signal),
  );
  if (view === undefined) return null;
  return (
    <>
      <div class="head form">
        <DayField name="from" label="From" day={from} />
        <DayField name="to" label="Through" day={to} />
        <p class="meta">Days in UTC; the service has data through yesterday, {yesterday(now.value)}.</p>
      </div>
      <Shown of={live}>
        {(answer) => {
          const table = tableOf(rowsOf(answer['data']), view.day);
          if (table.series.length === 0) return <EmptyState title="The service has nothing of these days" />;
          return (
            <>
              <UsageChart table={table} unit={view.unit} title={view.title} />
              <button type="button" onClick={() => saveFile(`belfry-${view.name}-${from}-${to}.csv`, csvOf(table))}>
                Save as CSV
              </button>
              <UsageTable table={table} title={view.title} />
            </>
          );
        }}
      </Shown>
    </>
  );
}

const csvOf = ({ days, series }: Table): string =>
  toCsv([
    ['date', ...series.map(({ name }) => name)],
    ...days.map((day, at) => [day, ...series.map(({ values }) => values[at] ?? 0)]),
  ]);

function DayField({
  name,
  label,
  day,
}: {
  readonly name: 'from' | 'to';
  readonly label: string;
  readonly day: string;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="date"
        value={day}
        max={yesterday(now.value)}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      />
    </label>
  );
}
