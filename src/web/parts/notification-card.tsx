// One notification that waits for somebody: what it is, who was notified, and what can be done about it.
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { ActButton } from './act-button.tsx';
import { Age } from './age.tsx';
import { FocusButton } from './focus-button.tsx';
import { type Question, QuestionForm } from './question-form.tsx';

export type Notification = ApiResult<'notifications.list'>['notifications'][number];

interface NotificationCardProps {
  readonly notification: Notification;
  /** What can be answered from here. */
  readonly questions: readonly Question[];
}

export function NotificationCard({ notification, questions }: NotificationCardProps) {
  const { id, title, urgency, since, agent, project, notified, session_key, session_id } = notification;
  return (
    <li class={`card notification ${urgency}`} data-notification={id}>
      <div class="row">
        <span class="meta">
          {urgency === 'urgent' ? <span class="badge bad">Urgent</span> : null}
          {[agent, project].filter((part) => part !== null).join(' · ')}
        </span>
        <Age since={since} />
      </div>
      {session_key === null ? (
        <strong class="title">{title}</strong>
      ) : (
        <a class="title" href={`/sessions/${encodeURIComponent(session_key)}`} data-item>
          {title}
        </a>
      )}
      {questions.map((question) => (
        <QuestionForm key={question.id} question={question} />
      ))}
      <div class="row">
        <span class="meta">{notified.length === 0 ? 'Nobody was notified' : `Sent to ${notified.join(', ')}`}</span>
        <span class="buttons">
          {session_key === null ? null : <FocusButton name={session_key} title={title} />}
          {session_id === null ? null : <MuteButton session={session_id} />}
          <AcknowledgeButton id={id} title={title} />
        </span>
      </div>
    </li>
  );
}

function AcknowledgeButton({ id, title }: { readonly id: string; readonly title: string }) {
  const act = async (): Promise<string> => {
    const { result, why } = await call('notifications.ack', { id });
    return result === 'already' ? `Already over: ${why ?? 'resolved'}` : `Acknowledged: ${title}`;
  };
  return (
    <ActButton label={`Acknowledge: ${title}`} act={act}>
      Acknowledge
    </ActButton>
  );
}

function MuteButton({ session }: { readonly session: string }) {
  const act = async (): Promise<string> => {
    await call('mutes.add', { minutes: 60, session });
    return 'Muted this session for an hour';
  };
  return <ActButton act={act}>Mute 1 h</ActButton>;
}
