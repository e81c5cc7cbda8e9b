// A question without a notification: who asks, where, until when, and its answers.
import { now } from '../lib/clock.ts';
import { subjectOf } from '../lib/subject.ts';
import { exactTime, shortDuration } from '../lib/time-words.ts';
import { type Question, QuestionForm } from './question-form.tsx';

export function QuestionCard({ question }: { readonly question: Question }) {
  const { session_key, kind, deadline } = question;
  const { agent, folder, tool } = subjectOf(question.subject);
  const title = {
    permission: tool === null ? 'Needs your permission' : `Needs permission to use ${tool}`,
    choice: 'Asks you to choose',
    text: 'Waits for your reply',
  }[kind];
  return (
    <li class="card notification waits question-card">
      <div class="row">
        <span class="meta">{[agent, folder].filter((part) => part !== null).join(' · ')}</span>
        <span class="meta" title={`until ${exactTime(Date.parse(deadline))}`}>
          {`takes an answer for ${shortDuration(Date.parse(deadline) - now.value)}`}
        </span>
      </div>
      <a class="title" href={`/sessions/${encodeURIComponent(session_key)}`} data-item>
        {title}
      </a>
      <QuestionForm question={question} />
    </li>
  );
}
