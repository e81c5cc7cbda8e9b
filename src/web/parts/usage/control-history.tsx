// Revisions of the organization's settings: who changed what, as differences, with what lets agents do more marked.
import type { ApiResult } from '../../../http/api/contract.ts';
import { callService } from '../../api/service.ts';
import { useLive } from '../../api/live.ts';
import { daysBetween } from '../../lib/usage/days.ts';
import type { Table } from '../../lib/usage/usage-views.ts';
import { EmptyState } from '../reading/empty-state.tsx';
import { Incomplete } from '../reading/more-than-shown.tsx';
import { SaveCsv } from './save-csv.tsx';
import { ScrollTable } from '../scroll-table.tsx';
import { Shown } from '../reading/read-state.tsx';
import { ClockTime } from '../clock-time.tsx';
import { UsageChart } from './usage-chart.tsx';

type Revision = ApiResult<'service.controls'>['revisions'][number];
type Change = Revision['changes'][number];

const COLUMNS = ['Revision', 'When', 'By', 'What it changed'] as const;

export function ControlHistory({ from, to }: { readonly from: string; readonly to: string }) {
  const live = useLive(`controls ${from} ${to}`, [], (signal) => callService('service.controls', { from, to }, signal));
  return (
    <Shown of={live}>
      {({ revisions, complete }) =>
        revisions.length === 0 ? (
          <EmptyState title="Nobody changed the organization's settings in these days" />
        ) : (
          <>
            <UsageChart table={changesByDay(revisions, from, to)} unit="settings changed" title="Controls" as="bars" />
            <SaveCsv name={`controls-${from}-${to}`} lines={linesOf(revisions)} />
            <Incomplete complete={complete} />
            <ScrollTable label="Revisions of the settings" columns={COLUMNS}>
              {revisions.map((revision) => (
                <RevisionRow key={revision.revision} revision={revision} />
              ))}
            </ScrollTable>
          </>
        )
      }
    </Shown>
  );
}

function RevisionRow({ revision: { revision, at, by, changes, note } }: { readonly revision: Revision }) {
  return (
    <tr>
      <th scope="row">{revision}</th>
      <td>{at === null ? '–' : <ClockTime at={at} />}</td>
      <td>{by ?? '–'}</td>
      <td>
        {note === null ? null : <span class="sub">{note}</span>}
        {changes.map((change) => (
          <Difference key={change.path} change={change} />
        ))}
      </td>
    </tr>
  );
}

function Difference({ change: { path, removed, added, loosens } }: { readonly change: Change }) {
  return (
    <div class="difference">
      <code>{path}</code> {loosens ? <span class="badge attention">Looser</span> : null}
      {removed.map((text) => (
        <del key={text}>{text}</del>
      ))}
      {added.map((text) => (
        <ins key={text}>{text}</ins>
      ))}
      {removed.length + added.length === 0 ? <span class="sub">put in another order</span> : null}
    </div>
  );
}

/** Settings that were changed on each day, those that let agents do more apart. */
function changesByDay(revisions: readonly Revision[], from: string, to: string): Table {
  const days = daysBetween(from, to);
  const count = (of: (change: Change) => boolean): readonly number[] =>
    days.map((day) =>
      revisions
        .filter(({ at }) => at?.slice(0, 10) === day)
        .reduce((sum, { changes }) => sum + changes.filter(of).length, 0),
    );
  const series = [
    { name: 'all', values: count(() => true) },
    { name: 'looser', values: count(({ loosens }) => loosens) },
  ];
  return { days, series: series.map((one) => ({ ...one, sum: one.values.reduce((sum, value) => sum + value, 0) })) };
}

/** A line a change; a revision without one has its note. */
const linesOf = (revisions: readonly Revision[]): readonly (readonly (string | number)[])[] => [
  ['revision', 'at', 'by', 'changed', 'looser'],
  ...revisions.flatMap(({ revision, at, by, changes, note }) =>
    (note === null ? changes : [{ text: note, loosens: false }]).map(({ text, loosens }) => [
      revision,
      at ?? '',
      by ?? '',
      text,
      loosens ? 'yes' : 'no',
    ]),
  ),
];
