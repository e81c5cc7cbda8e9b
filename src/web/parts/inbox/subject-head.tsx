// Above an entry: where it is, since when, what it is, and who was notified.
import { now } from '../../lib/clock.ts';
import { nextWords } from '../../lib/cards/next-words.ts';
import { subjectOf } from '../../lib/cards/question-subject.ts';
import { agentName } from '../../lib/names.ts';
import { shownText } from '../../lib/shown-text.ts';
import { counted } from '../../lib/terms.ts';
import { atDayTime, clockTime } from '../../../model/time/clock-time.ts';
import { shortDuration } from '../../lib/time-words.ts';
import type { Notification, Question, WaitingItem } from '../../store/waiting-item.ts';
import { Age } from '../age.tsx';

interface SubjectHeadProps {
  readonly item: WaitingItem;
  readonly title: string;
  /** Where the sessions are that ask for the same; null: it is one. */
  readonly places: string | null;
  /** What is still to come of it, and of those that ask for the same; the soonest first. */
  readonly next: Notification['next'];
  /** Where it is stands above it already. */
  readonly isPlaced: boolean;
}

export function SubjectHead({ item: { question, notification }, title, places, next, isPlaced }: SubjectHeadProps) {
  return (
    <div class="subject-head">
      {isPlaced && notification?.urgency !== 'urgent' ? null : (
        <div class="row">
          <span class="meta">
            {notification?.urgency === 'urgent' ? <span class="badge bad">Urgent</span> : null}
            {(isPlaced ? [] : whereWords(question, notification, places)).map((part) => (
              <span key={part}>{part}</span>
            ))}
          </span>
          {notification === null ? null : <Age since={notification.happened_at} />}
        </div>
      )}
      <h2 class="title" tabIndex={-1}>
        {title}
        <span class="edge" data-edge />
      </h2>
      <p class="meta">
        {notification === null ? null : <WhoGotIt notification={notification} />}
        <WhatComes next={next} />
        {notification === null ? null : <GoesOn stopped={notification.stopped} />}
        {notification === null || notification.seconds === null || notification.group !== 'done' ? null : (
          <span>Took {shortDuration(notification.seconds * 1_000)}</span>
        )}
        {question === null ? null : <AnswerTime question={question} />}
      </p>
    </div>
  );
}

function whereWords(
  question: Question | null,
  notification: Notification | null,
  places: string | null,
): readonly string[] {
  const { agent, folder } = question === null ? { agent: null, folder: null } : subjectOf(question.subject);
  const where = places === null ? [notification?.project ?? folder, notification?.branch ?? null] : [places];
  const client = notification?.agent ?? agent;
  const words = [...where, client === null ? null : agentName(client)];
  return [...new Set(words.filter((part) => part !== null).map(shownText))];
}

function AnswerTime({ question }: { readonly question: Question }) {
  const end = Date.parse(question.deadline);
  return <span title={`until ${clockTime(end)}`}>{`Takes an answer for ${shortDuration(end - now.value)}`}</span>;
}

/** Who was notified. */
function WhoGotIt({ notification: { notified, unsent } }: { readonly notification: Notification }) {
  if (notified.length > 0) return <span>Sent to {notified.map(shownText).join(', ')}</span>;
  return <span>{unsent.length === 0 ? 'Nobody was notified' : 'Not sent yet'}</span>;
}

/** When Belfry continues what it is about, the soonest of several. */
function GoesOn({ stopped }: Pick<Notification, 'stopped'>) {
  const plans = stopped.flatMap(({ continues_at: at }) => (at === null ? [] : Date.parse(at)));
  if (plans.length === 0) return null;
  const [at, count] = [Math.min(...plans), plans.length];
  const left = at - now.value;
  return (
    <span class="countdown" title={atDayTime(at, now.value)}>
      {`Belfry continues ${count === 1 ? 'it' : counted(count, 'session')} ${left <= 0 ? 'now' : `in ${shortDuration(left)}`}`}
    </span>
  );
}

/** Moments that are counted down; of more only how many. */
const MOST = 2;

function WhatComes({ next }: Pick<SubjectHeadProps, 'next'>) {
  const all = nextWords(next, now.value);
  const [first] = next;
  if (first === undefined) return null;
  return (
    <span class="countdown" title={`${atDayTime(Date.parse(first.at), now.value)}`}>
      {`Next: ${all.slice(0, MOST).join(', ')}${all.length > MOST ? `, and ${counted(all.length - MOST, 'more', 'more')}` : ''}`}
    </span>
  );
}
