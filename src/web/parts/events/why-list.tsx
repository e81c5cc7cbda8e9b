// Why, as a list in plain words: from what happened to each channel, what is still to come, and why not elsewhere.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiResult, StreamRows } from '../../../http/api/contract.ts';
import { call } from '../../api/access.ts';
import { useLive } from '../../api/live.ts';
import { shownText } from '../../lib/shown-text.ts';
import { ClockTime } from '../clock-time.tsx';
import { Shown } from '../reading/read-state.tsx';
import { WithCode } from '../reading/with-code.tsx';

type Row = ApiResult<'events.why'>['rows'][number];

interface WhyListProps {
  /** Of an event, or of a notification. */
  readonly id: string;
}

/** Ms between two reads. */
const APART = 3_000;

const isAbout =
  (id: string) =>
  ({ events, deliveries, waiting }: NonNullable<StreamRows>): boolean =>
    events.some((event) => event.id === id) ||
    deliveries.some(({ event_id, notification_id }) => event_id === id || notification_id === id) ||
    (waiting?.notifications.some((one) => one.id === id || one.event_ids.includes(id)) ?? false);

export function WhyList({ id }: WhyListProps) {
  const live = useLive(`why ${id}`, isAbout(id), (signal) => call('events.why', { id }, signal), APART);
  return <Shown of={live}>{({ rows }) => <Rows rows={rows} />}</Shown>;
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  // At no time: it was never to go there.
  const silent = rows.filter(({ what, at }) => what === 'not' && at === null);
  return (
    <div class="why-list">
      <ol class="happened">
        {rows
          .filter((row) => !silent.includes(row))
          .map((row, index) => (
            <li key={index} class={row.what}>
              <ClockTime at={row.at} />
              <span>
                <WithCode text={row.text} />
              </span>
            </li>
          ))}
      </ol>
      {silent.length === 0 ? null : (
        <>
          <h3>Why not {silent.length === 1 ? shownText(silent[0]?.channel ?? '') : 'elsewhere'}?</h3>
          <ul class="happened">
            {silent.map(({ channel, text }) => (
              <li key={channel} class="not">
                <span>
                  <WithCode text={text} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface WhyDetailsProps {
  /** Of several each behind a line of its own, by its name. */
  readonly of: readonly { readonly id: string; readonly name: string }[];
}

/** The same behind one line. */
export function WhyDetails({ of }: WhyDetailsProps) {
  const [first] = of;
  if (first === undefined) return null;
  return (
    <Fold summary="Why, and why not elsewhere?">
      {of.length === 1 ? (
        <WhyList id={first.id} />
      ) : (
        of.map(({ id, name }) => (
          <Fold key={id} summary={name}>
            <WhyList id={id} />
          </Fold>
        ))
      )}
    </Fold>
  );
}

/** Nothing in it is read before it is opened. */
function Fold({ summary, children }: { readonly summary: string; readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{shownText(summary)}</summary>
      {isOpen ? children : null}
    </details>
  );
}
