// One thing that waits for somebody: what it is, who was notified, what is asked, and what can be done about it.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { call } from '../../api/access.ts';
import type { Notification, Question, WaitingItem } from '../../api/what-waits.ts';
import { holdsUp } from '../../api/what-waits.ts';
import { CardGuard } from '../../lib/cards/card-guard.ts';
import { now } from '../../lib/clock.ts';
import type { KeptCard } from '../../lib/cards/kept-cards.ts';
import { subjectOf } from '../../lib/cards/question-subject.ts';
import { exactTime, shortDuration } from '../../lib/time-words.ts';
import { ActButton } from '../act-button.tsx';
import { Age } from '../age.tsx';
import { FocusButton } from '../sessions/focus-button.tsx';
import { QuestionForm } from './question-form.tsx';
import { TimeAgo } from '../time-ago.tsx';

interface WaitingCardProps {
  readonly card: KeptCard;
  /** How it ended, where it did. */
  readonly ending: string;
}

export function WaitingCard({ card: { item, settledAt }, ending }: WaitingCardProps) {
  const { question, notification } = item;
  const element = useRef<HTMLLIElement>(null);
  const guard = useMemo(() => new CardGuard(), []);
  const asked = question?.seen ?? '';
  const first = useRef(asked);
  const isOver = settledAt !== null;
  // As tall as it was, so that nothing below it moves.
  const height = useRef<string | undefined>(undefined);
  if (isOver) height.current ??= `${element.current?.getBoundingClientRect().height ?? 0}px`;
  else height.current = undefined;
  useLayoutEffect(() => (element.current === null ? undefined : guard.watch(element.current)), []);
  const title = titleOf(item);
  useLayoutEffect(() => (element.current === null ? undefined : guard.watchText(element.current)), [asked, isOver]);
  const look = isOver
    ? 'settled'
    : `${notification?.urgency ?? ''} ${holdsUp(item) ? 'waits' : ''} ${question === null ? '' : 'asks'}`;
  return (
    <li
      ref={element}
      class={`card notification ${look}`}
      data-notification={isOver ? undefined : notification?.id}
      style={{ minHeight: height.current }}
    >
      <Heading item={item} title={title} />
      {isOver ? <p class="ending">{ending}</p> : null}
      {isOver || question === null ? null : (
        <QuestionForm key={asked} question={question} guard={guard} changed={first.current !== asked} />
      )}
      {isOver || notification === null ? null : <Foot notification={notification} guard={guard} />}
    </li>
  );
}

function titleOf({ question, notification }: WaitingItem): string {
  if (notification !== null) return notification.title;
  if (question === null) return '';
  const { tool } = subjectOf(question.subject);
  return {
    permission: tool === null ? 'Needs your permission' : `Needs permission to use ${tool}`,
    choice: 'Asks you to choose',
    text: 'Waits for your reply',
  }[question.kind];
}

function Heading({ item: { question, notification }, title }: { readonly item: WaitingItem; readonly title: string }) {
  const session = notification?.session_key ?? question?.session_key ?? null;
  const edge = <span class="edge" data-edge />;
  return (
    <>
      <div class="row">
        <span class="meta">
          {notification?.urgency === 'urgent' ? <span class="badge bad">Urgent</span> : null}
          {whereWords(question, notification)}
        </span>
        {notification !== null ? <Age since={notification.since} /> : <TakenFor question={question} />}
      </div>
      {session === null ? (
        <strong class="title">
          {title}
          {edge}
        </strong>
      ) : (
        <a class="title" href={`/sessions/${encodeURIComponent(session)}`} data-item>
          {title}
          {edge}
        </a>
      )}
    </>
  );
}

function whereWords(question: Question | null, notification: Notification | null): string {
  const { agent, folder } = question === null ? { agent: null, folder: null } : subjectOf(question.subject);
  const words = [notification?.agent ?? agent, notification?.project ?? folder];
  return words.filter((part) => part !== null).join(' · ');
}

function TakenFor({ question }: { readonly question: Question | null }) {
  if (question === null) return null;
  const end = Date.parse(question.deadline);
  return (
    <span
      class="meta"
      title={`until ${exactTime(end)}`}
    >{`takes an answer for ${shortDuration(end - now.value)}`}</span>
  );
}

function Foot({ notification, guard }: { readonly notification: Notification; readonly guard: CardGuard }) {
  const { id, title, session_key, session_id } = notification;
  return (
    <div class="row">
      <WhoGotIt notification={notification} />
      <span class="buttons">
        {session_key === null ? null : <FocusButton name={session_key} title={title} />}
        {session_id === null ? null : <MuteButton session={session_id} guard={guard} />}
        <AcknowledgeButton id={id} title={title} guard={guard} />
      </span>
    </div>
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

interface GuardedProps {
  readonly guard: CardGuard;
}

function AcknowledgeButton({ id, title, guard }: GuardedProps & { readonly id: string; readonly title: string }) {
  const act = async (): Promise<string> => {
    const { result, why } = await call('notifications.ack', { id });
    return result === 'already' ? `Already over: ${why ?? 'resolved'}` : `Acknowledged: ${title}`;
  };
  return (
    <ActButton label={`Acknowledge: ${title}`} act={act} guard={guard}>
      Acknowledge
    </ActButton>
  );
}

function MuteButton({ session, guard }: GuardedProps & { readonly session: string }) {
  const act = async (): Promise<string> => {
    await call('mutes.add', { minutes: 60, session });
    return 'Muted this session for an hour';
  };
  return (
    <ActButton act={act} guard={guard}>
      Mute 1 h
    </ActButton>
  );
}
