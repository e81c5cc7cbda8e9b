// Readiness reports over time: the share of criteria that each repository passes, and which ones fell or rose since its report before.
import type { ApiResult } from '../../../http/api/contract.ts';
import { callService } from '../../api/service.ts';
import { useLive } from '../../api/live.ts';
import { readinessTable, repositoryName } from '../../lib/usage/readiness.ts';
import { EmptyState } from '../reading/empty-state.tsx';
import { Incomplete } from '../reading/more-than-shown.tsx';
import { SaveCsv } from './save-csv.tsx';
import { ScrollTable } from '../scroll-table.tsx';
import { Shown } from '../reading/read-state.tsx';
import { ClockTime } from '../clock-time.tsx';
import { UsageChart } from './usage-chart.tsx';

type Report = ApiResult<'service.readiness'>['reports'][number];
type Move = Report['fell'][number];

const COLUMNS = ['Repository', 'Report', 'Passed', 'Fell', 'Rose', 'Not passed'] as const;

export function ReadinessHistory({ from, to }: { readonly from: string; readonly to: string }) {
  const live = useLive(`readiness ${from} ${to}`, [], (signal) =>
    callService('service.readiness', { from, to }, signal),
  );
  return (
    <Shown of={live}>
      {({ reports, complete }) =>
        reports.length === 0 ? (
          <EmptyState title="No readiness reports of these days">
            A report says how ready a repository is for agents.
          </EmptyState>
        ) : (
          <>
            <UsageChart sums={false} table={readinessTable(reports)} unit="% of criteria passed" title="Readiness" />
            <SaveCsv name={`readiness-${from}-${to}`} lines={linesOf(reports)} />
            <Incomplete complete={complete} />
            <ScrollTable label="Readiness reports" columns={COLUMNS}>
              {reports.map((report) => (
                <ReportRow key={report.id} report={report} />
              ))}
            </ScrollTable>
          </>
        )
      }
    </Shown>
  );
}

function ReportRow({
  report: { repository, at, branch, passed, criteria, below, fell, rose },
}: {
  readonly report: Report;
}) {
  return (
    <tr>
      <th scope="row" title={repository}>
        {repositoryName(repository)}
      </th>
      <td>
        <ClockTime at={at} />
        {branch === null ? null : <span class="sub">{branch}</span>}
      </td>
      <td class="whole-number">
        {passed} of {criteria}
      </td>
      <td>
        <MoveList moves={fell} tone="bad-words" />
      </td>
      <td>
        <MoveList moves={rose} tone="good-words" />
      </td>
      <td>{below.join(', ')}</td>
    </tr>
  );
}

function MoveList({ moves, tone }: { readonly moves: readonly Move[]; readonly tone: string }) {
  return (
    <ul class="moves">
      {moves.map((move) => (
        <li key={move.criterion} class={tone} title={move.rationale ?? undefined}>
          {inWords(move)}
        </li>
      ))}
    </ul>
  );
}

const inWords = ({ criterion, before, after }: Move): string => `${criterion} ${before.join('/')} → ${after.join('/')}`;

const linesOf = (reports: readonly Report[]): readonly (readonly (string | number)[])[] => [
  ['repository', 'at', 'branch', 'passed', 'criteria', 'fell', 'rose', 'not_passed'],
  ...reports.map(({ repository, at, branch, passed, criteria, fell, rose, below }) => [
    repository,
    at,
    branch ?? '',
    passed,
    criteria,
    ...[fell, rose].map((moves) => moves.map(inWords).join('; ')),
    below.join('; '),
  ]),
];
