// One notification that waits for somebody: what it is, who was notified, and what can be done about it.
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { now } from '../lib/clock.ts';
import { ActButton } from './act-button.tsx';
import { Age } from './age.tsx';
import { FocusButton } from './focus-button.tsx';
import { type Question, QuestionForm } from './question-form.tsx';
import { TimeAgo } from './time-ago.tsx';

export type Notification = ApiResult<'notifications.list'>['notifications'][number];

interface NotificationCardProps {
  readonly notification: Notification;
  /** What can be answered from here. */
  readonly questions: readonly Question[];
}

export function NotificationCard({ notification, questions }: NotificationCardProps) {
  const { id, title, kind, urgency, since, agent, project, session_key, session_id } = notification;
  const waits = questions.length > 0 || kind === 'agent.waiting';
  return (
    <li class={`card notification ${urgency} ${waits ? 'waits' : ''}`} data-notification={id}>
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
        <WhoGotIt notification={notification} />
        <span class="buttons">
          {session_key === null ? null : <FocusButton name={session_key} title={title} />}
          {session_id === null ? null : <MuteButton session={session_id} />}
          <AcknowledgeButton id={id} title={title} />
        </span>
      </div>
    </li>
  );
}

/** Who was notified, else when somebody is to be. */
function WhoGotIt({ notification: { notified, unsent, due } }: { readonly notification: Notification }) {
  if (notified.length > 0) return <span class="meta">Sent to {notified.join(', ')}</span>;
  if (unsent.length === 0) return <span class="meta">Nobody was notified</span>;
  if (due === null || Date.parse(due) <= now.value) return <span class="meta">Not sent yet</span>;
  return (
    <span class="meta">
      <span>
        Not sent yet: due <TimeAgo at={due} />
      </span>
    </span>
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
