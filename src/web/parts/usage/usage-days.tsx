// Figures of the organization by day, as a chart, a table and a file.
import { callService } from '../../api/service.ts';
import { useLive } from '../../api/live.ts';
import { rowsOf, type Table, tableOf, type View } from '../../lib/usage/usage-views.ts';
import { EmptyState } from '../reading/empty-state.tsx';
import { SaveCsv } from './save-csv.tsx';
import { Shown } from '../reading/read-state.tsx';
import { UsageChart } from './usage-chart.tsx';
import { UsageTable } from './usage-table.tsx';

interface UsageDaysProps {
  readonly view: View;
  /** Days, both included. */
  readonly from: string;
  readonly to: string;
}

export function UsageDays({ view: { name, title, unit, method, day, sums }, from, to }: UsageDaysProps) {
  const live = useLive(`usage ${method} ${from} ${to}`, [], (signal) =>
    callService('service.get', { resource: 'analytics', method, startDate: from, endDate: to }, signal),
  );
  return (
    <Shown of={live}>
      {(answer) => {
        const table = tableOf(rowsOf(answer['data']), day);
        if (table.series.length === 0) return <EmptyState title="The service has no figures of these days" />;
        return (
          <>
            <UsageChart table={table} unit={unit} title={title} sums={sums} />
            <SaveCsv name={`${name}-${from}-${to}`} lines={linesOf(table)} />
            <UsageTable table={table} title={title} sums={sums} />
          </>
        );
      }}
    </Shown>
  );
}

const linesOf = ({ days, series }: Table): readonly (readonly (string | number)[])[] => [
  ['date', ...series.map(({ name }) => name)],
  ...days.map((day, at) => [day, ...series.map(({ values }) => values[at] ?? 0)]),
];
