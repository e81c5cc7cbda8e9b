// One entry, whole: what it is, who was notified, what is asked or was said, and what can be done about it.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { call } from '../../api/access.ts';
import { CardGuard } from '../../lib/cards/card-guard.ts';
import { placeName, placesOf, titleOf } from '../../lib/cards/entry-words.ts';
import { canHold, soonestFirst } from '../../lib/cards/next-words.ts';
import { subjectOf } from '../../lib/cards/question-subject.ts';
import { counted } from '../../lib/terms.ts';
import { noteFinal } from '../../lib/undo.ts';
import { draftOf } from '../../store/drafts.ts';
import type { Entry, Line } from '../../store/entries.ts';
import { endingOf, noteSettled } from '../../store/waiting.ts';
import type { Notification, Question } from '../../store/waiting-item.ts';
import { ActButton } from '../act-button.tsx';
import { chosenOf } from '../asked/choice-fields.tsx';
import { WhyDetails } from '../events/why-list.tsx';
import { FocusButton, isThisMachine } from '../sessions/focus-button.tsx';
import { ActionHints, HINTS } from './action-hints.tsx';
import { AnswerBar } from './answer-bar.tsx';
import { FailingChannelTest } from './failing-channel.tsx';
import { GoOnButtons } from './go-on-buttons.tsx';
import { HoldButton } from './hold-button.tsx';
import { LikeLines } from './like-lines.tsx';
import { MuteButton } from './mute-button.tsx';
import { NotificationBody } from './notification-body.tsx';
import { QuestionBody, WordsField } from './question-body.tsx';
import { SubjectHead } from './subject-head.tsx';

interface SubjectCardProps {
  readonly entry: Entry;
  /** The key of its row, whose focus counts as the card's; null: it has none, since it is on the page of its session. */
  readonly row: string | null;
  /** It was settled by a press here. */
  readonly settled: () => void;
}

export function SubjectCard({ entry, row, settled }: SubjectCardProps) {
  const { lines, group } = entry;
  const element = useRef<HTMLElement>(null);
  const guard = useMemo(() => new CardGuard(), []);
  const open = lines.filter(({ settledAt }) => settledAt === null);
  const item = (open[0] ?? lines[0])?.item;
  const questions = open.flatMap(({ item: { question } }) => question ?? []);
  const shown = open.map(({ item: one }) => one.question?.seen ?? one.key).join(' ');
  const changed = useChanged(questions);
  useLayoutEffect(() => (element.current === null ? undefined : guard.watch(element.current, row)), []);
  // Another text, or one more session that it is for, is another card, wherever it stands.
  useLayoutEffect(() => (element.current === null ? undefined : guard.watchText(element.current)), [shown]);
  if (item === undefined) return null;
  const title = lines.length > 1 ? `${titleOf(item)}, in ${counted(lines.length, 'session')}` : titleOf(item);
  const body = { item, questions, changed, guard, settled };
  return (
    <article
      ref={element}
      class={`subject ${open.length === 0 ? 'settled' : group}`}
      data-subject={entry.key}
      data-notification={open.length === 0 ? undefined : item.notification?.id}
      data-question={open.length === 1 ? questions[0]?.id : undefined}
    >
      <SubjectHead
        item={item}
        title={title}
        places={lines.length > 1 ? placesOf(entry) : null}
        next={nextOf(open)}
        isPlaced={row === null}
      />
      {open.length === 0 ? (
        <Settled entry={entry} />
      ) : questions.length > 0 ? (
        <QuestionParts {...body} entry={entry} />
      ) : (
        <div class="subject-body">
          {item.notification === null ? null : <NotificationBody notification={item.notification} />}
        </div>
      )}
      {open.length === 0 ? null : (
        <Actions
          lines={lines}
          title={title}
          guard={guard}
          settled={settled}
          asks={questions.length > 0}
          isPlaced={row === null}
        />
      )}
      <WhyDetails of={lines.flatMap(whyOf)} />
    </article>
  );
}

/** What is still to come of all of these, the soonest first. */
const nextOf = (open: readonly Line[]): Notification['next'] =>
  soonestFirst(open.flatMap(({ item: { notification } }) => (notification?.state === 'open' ? notification.next : [])));

/** Of several each by its place, and its branch where that is known. */
const whyOf = ({ item }: Line) =>
  item.notification === null
    ? []
    : { id: item.notification.id, name: [placeName(item), item.notification.branch ?? ''].filter(Boolean).join(' · ') };

/** Whether one of these asks something else than when it was first drawn here. */
function useChanged(questions: readonly Question[]): boolean {
  const first = useRef(new Map<string, string>());
  return questions
    .map(({ id, seen }) => {
      const known = first.current.get(id);
      if (known === undefined) first.current.set(id, seen);
      return known !== undefined && known !== seen;
    })
    .includes(true);
}

interface PartsProps {
  readonly entry: Entry;
  readonly questions: readonly Question[];
  readonly changed: boolean;
  readonly guard: CardGuard;
  readonly settled: () => void;
}

function QuestionParts({ entry: { lines }, questions, changed, guard, settled }: PartsProps) {
  const [question] = questions;
  if (question === undefined) return null;
  const { choices } = subjectOf(question.subject);
  const draft = draftOf(question.id, question.seen, choices.length);
  const field = {
    question,
    draft: draft.value,
    change: (next: typeof draft.value) => {
      draft.value = next;
    },
  };
  const words = draft.value.words.trim();
  return (
    <>
      <div class="subject-body">
        <QuestionBody key={question.seen} {...field} changed={changed} />
        {lines.length > 1 ? (
          <LikeLines lines={lines} words={words} guard={guard} whole={`${question.id}-unseen`} />
        ) : null}
      </div>
      <div class="subject-foot">
        <WordsField {...field} />
        <AnswerBar
          questions={questions}
          words={words}
          chosen={chosenOf(choices, draft.value.choices)}
          guard={guard}
          stopped={lines.flatMap(({ item }) => item.notification?.stopped ?? [])}
          answered={settled}
        />
      </div>
    </>
  );
}

function Settled({ entry: { lines } }: { readonly entry: Entry }) {
  return (
    <div class="subject-body">
      {lines.map(({ item }) => (
        <p key={item.key} class="ending">
          {endingOf(item) ?? 'Over'}
        </p>
      ))}
    </div>
  );
}

interface ActedProps {
  readonly title: string;
  readonly guard: CardGuard;
  readonly settled: () => void;
}

interface ActionsProps extends ActedProps {
  /** Of several sessions each has its own line, and all of them are held together. */
  readonly lines: readonly Line[];
  readonly asks: boolean;
  /** It is on the page of its session, which has what leads there. */
  readonly isPlaced: boolean;
}

function Actions({ lines, title, guard, settled, asks, isPlaced }: ActionsProps) {
  const notifications = lines.flatMap(({ item, settledAt }) => (settledAt === null ? (item.notification ?? []) : []));
  const { notification = null, question = null } = (lines.length === 1 ? lines[0]?.item : null) ?? {};
  const key = notification?.session_key ?? question?.session_key ?? null;
  const [failed] = notification?.event_ids ?? [];
  if (lines.length > 1 && !notifications.some(canHold)) return null;
  // What waits at its terminal is answered there.
  const isThere = key !== null && !asks && notification?.kind === 'agent.waiting' && isThisMachine;
  const focus = key === null || isPlaced ? null : <FocusButton name={key} title={title} isFirst={isThere} />;
  return (
    <div class="subject-actions">
      <span class="buttons">
        {isThere ? focus : null}
        {asks || notification === null ? null : <GoOnButtons stopped={notification.stopped} guard={guard} />}
        {notification?.kind === 'channel.failing' && failed !== undefined ? (
          <FailingChannelTest key={failed} event={failed} />
        ) : null}
        {notification === null ? null : (
          <DoneButton
            notification={notification}
            title={title}
            guard={guard}
            settled={settled}
            ends={!asks}
            isFirst={!asks && (!isThere || isPlaced)}
          />
        )}
        <HoldButton notifications={notifications} title={title} guard={guard} />
        {notification?.session_id == null ? null : <MuteButton session={notification.session_id} guard={guard} />}
        {isThere ? null : focus}
        {key === null || isPlaced ? null : (
          <a class="button" href={`/sessions/${encodeURIComponent(key)}`}>
            Open session
          </a>
        )}
      </span>
      <ActionHints
        of={[
          ...(notification === null ? [] : (['acknowledge'] as const)),
          ...(notifications.some(canHold) ? (['hold'] as const) : []),
          ...(notification?.session_id == null ? [] : (['mute'] as const)),
        ]}
      />
    </div>
  );
}

interface DoneButtonProps extends ActedProps {
  readonly notification: Notification;
  /** Nothing of it is asked besides. */
  readonly ends: boolean;
  /** The first thing to do about it. */
  readonly isFirst: boolean;
}

/** Acknowledges: its reminders and escalations are taken back, and a question of it still waits. */
function DoneButton({ notification: { id }, title, guard, settled, ends, isFirst }: DoneButtonProps) {
  const act = async (): Promise<string> => {
    const { result, why } = await call('notifications.ack', { id });
    if (result === 'acknowledged') noteFinal('An acknowledgement cannot be undone');
    if (ends) {
      noteSettled([id], 'Acknowledged by you');
      settled();
    }
    return result === 'already' ? `Already over: ${why ?? 'resolved'}` : `Acknowledged: ${title}`;
  };
  return (
    <ActButton
      kind={isFirst ? 'primary' : 'plain'}
      label={`Acknowledge: ${title}`}
      act={act}
      guard={guard}
      hint={HINTS.acknowledge}
      letter="e"
    >
      Acknowledge
    </ActButton>
  );
}
