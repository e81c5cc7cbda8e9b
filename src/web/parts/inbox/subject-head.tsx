// Above an entry: where it is, since when, what it is, and who was notified.
import { now } from '../../lib/clock.ts';
import { subjectOf } from '../../lib/cards/question-subject.ts';
import { shownText } from '../../lib/shown-text.ts';
import { clockTime, exactTime, shortDuration } from '../../lib/time-words.ts';
import type { Notification, Question, WaitingItem } from '../../store/waiting-item.ts';
import { Age } from '../age.tsx';

interface SubjectHeadProps {
  readonly item: WaitingItem;
  readonly title: string;
}

export function SubjectHead({ item: { question, notification }, title }: SubjectHeadProps) {
  return (
    <div class="subject-head">
      <div class="row">
        <span class="meta">
          {notification?.urgency === 'urgent' ? <span class="badge bad">Urgent</span> : null}
          {whereWords(question, notification).map((part) => (
            <span key={part}>{part}</span>
          ))}
        </span>
        {notification === null ? null : <Age since={notification.since} />}
      </div>
      <h2 class="title" tabIndex={-1}>
        {title}
        <span class="edge" data-edge />
      </h2>
      <p class="meta">
        {notification === null ? null : <WhoGotIt notification={notification} />}
        {notification === null || notification.seconds === null || notification.group !== 'done' ? null : (
          <span>Took {shortDuration(notification.seconds * 1_000)}</span>
        )}
        {question === null ? null : <AnswerTime question={question} />}
      </p>
    </div>
  );
}

function whereWords(question: Question | null, notification: Notification | null): readonly string[] {
  const { agent, folder } = question === null ? { agent: null, folder: null } : subjectOf(question.subject);
  const words = [notification?.project ?? folder, notification?.branch ?? null, notification?.agent ?? agent];
  return [...new Set(words.filter((part) => part !== null).map(shownText))];
}

function AnswerTime({ question }: { readonly question: Question }) {
  const end = Date.parse(question.deadline);
  return <span title={`until ${exactTime(end)}`}>{`Takes an answer for ${shortDuration(end - now.value)}`}</span>;
}

/** Who was notified, else when somebody is to be. */
function WhoGotIt({ notification: { notified, unsent, due } }: { readonly notification: Notification }) {
  if (notified.length > 0) return <span>Sent to {notified.map(shownText).join(', ')}</span>;
  if (unsent.length === 0) return <span>Nobody was notified</span>;
  if (due === null || Date.parse(due) <= now.value) return <span>Not sent yet</span>;
  return <span>Not sent yet: due at {clockTime(Date.parse(due))}</span>;
}
