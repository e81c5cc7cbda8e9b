// What rules that are being changed come to: their mistakes by line, or the last days under them beside those in force.
import type { ComponentChildren } from 'preact';
import { isChanged, isTrying, triedRules, tryLater, tryProblem, type TriedRules } from '../../store/rules-draft.ts';
import { shownText } from '../../lib/shown-text.ts';
import { counted } from '../../lib/terms.ts';
import { now } from '../../lib/clock.ts';
import { dayTime } from '../../../model/time/clock-time.ts';
import { ReadProblem } from '../reading/read-problem.tsx';
import { WithCode } from '../reading/with-code.tsx';
import { ScrollTable } from '../scroll-table.tsx';

interface OutcomeProps {
  readonly goToLine: (line: number) => void;
}

type Preview = NonNullable<TriedRules['preview']>;

export function RulesOutcome({ goToLine }: OutcomeProps) {
  const tried = triedRules.value;
  return (
    <div class="rules-outcome" aria-busy={isTrying.value}>
      <h3>What you would have received</h3>
      <ReadProblem problem={tryProblem.value} retry={() => tryLater(0)} />
      <p class="hidden" role="status">
        {tried === null || isTrying.value ? '' : spoken(tried.result)}
      </p>
      <div class="outcome">
        {tried === null || !isChanged.value ? (
          <p class="note">
            {isTrying.value
              ? 'Trying it'
              : 'Change something: every event of the last days is decided again by the new rules, and you see what would be different before you save.'}
          </p>
        ) : (
          <Outcome result={tried.result} days={tried.days} goToLine={goToLine} />
        )}
      </div>
    </div>
  );
}

/** What it comes to in a sentence, beside what saves it: in sight wherever the rules are looked at. */
export function RulesVerdict() {
  const tried = triedRules.value;
  if (tried === null || !isChanged.value)
    return <p class="note">{isTrying.value ? 'Trying it' : 'Nothing is changed yet.'}</p>;
  const { errors, preview } = tried.result;
  if (errors.length > 0)
    return <p class="bad-words">{counted(errors.length, 'mistake')}: it cannot be saved like this.</p>;
  return preview === null ? <p class="note" /> : <p class="verdict">{preview.text}</p>;
}

/** What those hear who do not see it. */
const spoken = ({ errors, preview }: TriedRules): string =>
  errors.length === 0 ? (preview?.text ?? '') : `${errors.length} ${errors.length === 1 ? 'mistake' : 'mistakes'}`;

function Outcome({ result, days, goToLine }: OutcomeProps & { readonly result: TriedRules; readonly days: number }) {
  const { errors, warnings, preview } = result;
  return (
    <>
      {errors.length === 0 ? null : <Notes notes={errors} goToLine={goToLine} style="bad-words" />}
      {preview === null ? null : (
        <PreviewShown preview={preview} days={days}>
          {warnings.length === 0 ? null : <Notes notes={warnings} goToLine={goToLine} style="warning" />}
        </PreviewShown>
      )}
    </>
  );
}

interface NotesProps extends OutcomeProps {
  readonly notes: TriedRules['errors'];
  readonly style: 'bad-words' | 'warning';
}

function Notes({ notes, goToLine, style }: NotesProps) {
  return (
    <ul class="rule-notes">
      {notes.map(({ line, column, message }) => (
        <li key={`${line}:${column} ${message}`}>
          {line === null ? null : (
            <button type="button" onClick={() => goToLine(line)}>
              Line {line}
            </button>
          )}
          <span class={style}>
            <WithCode text={message} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const CUTS = {
  events: 'Only the latest of them were decided again: there are more.',
  time: 'Not all of them were decided again: it took too long.',
} as const;

interface PreviewProps {
  readonly preview: Preview;
  readonly days: number;
  /** What somebody may not have meant. */
  readonly children: ComponentChildren;
}

function PreviewShown({ preview, days, children }: PreviewProps) {
  const { events, cut, from, channels, changed, changes, titles } = preview;
  const since =
    cut === 'events'
      ? `since ${dayTime(Date.parse(from), now.value)}`
      : days === 1
        ? 'of the last day'
        : `of the last ${days} days`;
  return (
    <>
      <p class="note">
        {events} {events === 1 ? 'event' : 'events'} {since}, decided again by your rules as they are and as you changed
        them. {cut === null ? '' : `${CUTS[cut]} `}
        Mutes, failing channels and whether you were there are not known any more, so they count for neither.
      </p>
      {children}
      {channels.length === 0 ? null : (
        <ScrollTable label="Messages by channel" columns={['Channel', 'Now', 'With your changes', 'Difference']}>
          {channels.map(({ channel, before, after }) => (
            <tr key={channel}>
              <td>{shownText(channel)}</td>
              <td>{before.messages}</td>
              <td>{after.messages}</td>
              <td>{countWords(before, after)}</td>
            </tr>
          ))}
        </ScrollTable>
      )}
      {changes.length === 0 ? null : (
        <>
          <h4>
            {changed} {changed === 1 ? 'event' : 'events'} would go another way
          </h4>
          {changed > changes.length ? <p class="note">The gravest {changes.length} of them:</p> : null}
          <ol class="rule-changes">
            {changes.map((change) => (
              <Change key={change.event_id} change={change} />
            ))}
          </ol>
        </>
      )}
      {titles.length === 0 ? null : (
        <>
          <h4>They would read otherwise</h4>
          <ul class="rule-changes">
            {titles.map(({ event_id, before, after }) => (
              <li key={event_id}>
                <p class="was">{shownText(before)}</p>
                <p>{shownText(after)}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

type Counts = Preview['messages']['before'];

function countWords(before: Counts, after: Counts): string {
  const difference = after.messages - before.messages;
  const parts = [
    difference === 0 ? '' : difference > 0 ? `${difference} more` : `${-difference} fewer`,
    after.only_away > 0 ? `${after.only_away} only while you are away` : '',
    after.in_digests > 0 ? `${after.in_digests} in digests` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const DIFFERENCES: Readonly<Record<Preview['changes'][number]['difference'], string>> = {
  nobody: 'reaches nobody',
  records: 'only recorded',
  later: 'later',
  away: 'only while away',
  fewer: 'fewer',
  more: 'more',
  sooner: 'sooner',
  other: 'otherwise',
};

function Change({ change }: { readonly change: Preview['changes'][number] }) {
  const { event_id, at, kind, urgency, title, difference, before, after } = change;
  const isAwaited = urgency === 'urgent' || kind === 'agent.waiting';
  const isGrave = isAwaited && (difference === 'nobody' || difference === 'records');
  return (
    <li>
      <p>
        <span class={isGrave ? 'badge bad' : 'badge'}>{DIFFERENCES[difference]}</span>{' '}
        <a href={`/events/${encodeURIComponent(event_id)}`}>{shownText(title)}</a>
      </p>
      <p class="meta">
        <span>{dayTime(Date.parse(at), now.value)}</span>
        {urgency === 'urgent' ? <span>urgent</span> : null}
        <span>
          {placesOf(before)} → {placesOf(after)}
        </span>
      </p>
    </li>
  );
}

const placesOf = (places: readonly string[]): string => (places.length === 0 ? 'nobody' : shownText(places.join('; ')));
