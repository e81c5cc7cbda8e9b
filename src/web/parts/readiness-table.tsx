// Readiness reports: how many criteria each passes, and which ones it does not.
import { call } from '../api/access.ts';
import { useLive } from '../api/live.ts';
import { type Row, rowsOf } from '../lib/usage-views.ts';
import { EmptyState } from './empty-state.tsx';
import { Shown } from './shown.tsx';
import { TimeAgo } from './time-ago.tsx';

export function ReadinessTable() {
  const live = useLive('readiness', [], (signal) =>
    call('service.get', { resource: 'readinessReports', method: 'list' }, signal),
  );
  return (
    <Shown of={live}>
      {(answer) => {
        const reports = rowsOf(answer['reports']);
        if (reports.length === 0) return <EmptyState title="No readiness reports" />;
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard
          <section class="scroll" tabIndex={0} aria-label="Readiness reports">
            <table>
              <thead>
                <tr>
                  <th scope="col">Repository</th>
                  <th scope="col">Report</th>
                  <th scope="col">Passed</th>
                  <th scope="col">Not passed</th>
                </tr>
              </thead>
              <tbody>
                {reports.map((report) => (
                  <Report key={String(report['reportId'])} report={report} />
                ))}
              </tbody>
            </table>
          </section>
        );
      }}
    </Shown>
  );
}

function Report({ report }: { readonly report: Row }) {
  const criteria = Object.entries(
    (report['report'] ?? {}) as Record<string, { numerator: number; denominator: number }>,
  );
  const failing = criteria.filter(([, { numerator, denominator }]) => numerator < denominator).map(([name]) => name);
  return (
    <tr>
      <th scope="row">{String(report['repoUrl'] ?? '')}</th>
      <td>
        <TimeAgo at={new Date(Number(report['createdAt'])).toISOString()} />
      </td>
      <td>
        {criteria.length - failing.length} of {criteria.length}
      </td>
      <td>{failing.join(', ')}</td>
    </tr>
  );
}
