// What happened in a session, the latest first: prompts, what it asked and for how long it waited, who was notified, who answered and where.
import { useState } from 'preact/hooks';
import type { ApiResult, StreamRows } from '../../../http/api/contract.ts';
import { call } from '../../api/access.ts';
import { useLive } from '../../api/live.ts';
import { minute } from '../../lib/clock.ts';
import { shownText } from '../../lib/shown-text.ts';
import { counted } from '../../lib/terms.ts';
import { ClockTime } from '../clock-time.tsx';
import { EmptyState } from '../reading/empty-state.tsx';
import { Shown } from '../reading/read-state.tsx';
import type { Session } from './session-card.tsx';

type Timeline = ApiResult<'sessions.timeline'>;
type Row = Timeline['rows'][number];

/** Ms between two reads, however much happens. */
const APART = 5_000;
/** Rows that are shown at first, and tools that are named. */
const LATEST = 25;
const TOOLS = 4;

const isOf =
  ({ key, agent, session_id }: Session) =>
  ({ events, deliveries, waiting }: NonNullable<StreamRows>): boolean =>
    events.some((event) => event.session_id === session_id && event.agent === agent) ||
    deliveries.some((delivery) => delivery.session_id === session_id) ||
    (waiting?.notifications.some(({ session_key }) => session_key === key) ?? false);

/** Since the day of its last event began. */
function beginOf({ last_event }: Session): string {
  return new Date(new Date(last_event).setHours(0, 0, 0, 0)).toISOString();
}

/** Read again each minute, too: what waits has waited longer by then. */
export function SessionTimeline({ session }: { readonly session: Session }) {
  const { key, project } = session;
  const since = beginOf(session);
  const live = useLive(
    `timeline ${key} ${since} ${minute.value}`,
    isOf(session),
    (signal) => call('sessions.timeline', { key, since }, signal),
    APART,
  );
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Shown of={live}>{(timeline) => <TimelineShown timeline={timeline} project={project} />}</Shown>
      <p class="more">
        <a href={`/events?session=${encodeURIComponent(session.session_id)}`}>All its events</a>
      </p>
    </section>
  );
}

interface TimelineShownProps {
  readonly timeline: Timeline;
  /** Of the session: every title begins with it. */
  readonly project: string | null;
}

function TimelineShown({ timeline: { waited_today, prompts, tools, rows, cut }, project }: TimelineShownProps) {
  const [isWhole, setWhole] = useState(false);
  const latest = rows.toReversed();
  const shown = isWhole ? latest : latest.slice(0, LATEST);
  const left = latest.length - shown.length;
  return (
    <>
      <p class="waited">
        <strong>{waited_today.text}</strong> <span class="note">{summary(prompts, tools)}</span>
      </p>
      {rows.length === 0 ? <EmptyState title="No events of its last day are kept" /> : null}
      <ol class="happened timeline">
        {shown.map((row, index) => (
          <li key={`${row.at} ${row.what} ${row.channel ?? ''} ${index}`} class={row.what}>
            <ClockTime at={row.at} />
            <span class="hidden">{WHAT[row.what]}: </span>
            <a href={`/events/${encodeURIComponent(row.event_id)}`} data-item>
              {wordsOf(row, project)}
            </a>
          </li>
        ))}
      </ol>
      {left === 0 ? null : (
        <button type="button" onClick={() => setWhole(true)}>
          Show {left} earlier
        </button>
      )}
      {cut && left === 0 ? <p class="note">Earlier events are not shown.</p> : null}
    </>
  );
}

/** What a row is, for those who do not see its mark. */
const WHAT: Readonly<Record<Row['what'], string>> = {
  prompt: 'Given',
  wait: 'Asked',
  event: 'Happened',
  sent: 'Notified',
  answer: 'Answered',
  end: 'Over',
};

function wordsOf({ what, text }: Row, project: string | null): string {
  const prefix = `${project}: `;
  if (project === null || what === 'prompt') return shownText(text);
  return shownText(text.startsWith(prefix) ? text.slice(prefix.length) : text.replace(`: ${prefix}`, ': '));
}

/** "3 prompts; asked to use Bash (4 times), Edit"; without prompts only what it asked. */
function summary(prompts: number, tools: Timeline['tools']): string {
  const named = tools
    .slice(0, TOOLS)
    .map(({ name, count }) => shownText(count > 1 ? `${name} (${count} times)` : name));
  const others = tools.length - named.length;
  const list = others > 0 ? [...named, counted(others, 'other tool')] : named;
  const given = prompts === 0 && list.length > 0 ? [] : [counted(prompts, 'prompt')];
  return [...given, ...(list.length === 0 ? [] : [`asked to use ${list.join(', ')}`])].join('; ');
}
