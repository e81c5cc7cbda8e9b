// The answers that a question takes, each as a button; of several sessions that ask for the same, for all of them.
import type { ApiInput } from '../../../http/api/contract.ts';
import { InterfaceError } from '../../../http/api/client.ts';
import { call } from '../../api/access.ts';
import type { CardGuard } from '../../lib/cards/card-guard.ts';
import { isRisky } from '../../lib/cards/entry-words.ts';
import { noteFinal } from '../../lib/undo.ts';
import { dropDraft } from '../../store/drafts.ts';
import { noteSettled, putQuestion } from '../../store/waiting.ts';
import type { Notification, Question } from '../../store/waiting-item.ts';
import { ActButton } from '../act-button.tsx';
import { GoOnButtons } from './go-on-buttons.tsx';

export type Answer = ApiInput<'questions.answer'>['answer'];

/** What people read of an answer that was taken. */
const TAKEN: Readonly<Record<Answer['type'], string>> = {
  allow: 'Allowed by you',
  deny: 'Denied by you',
  choose: 'Answered by you',
  reply: 'Sent to the agent by you',
};

/** Sends one answer to each of these, with what was shown of each. Throws what the first that was not taken says. */
export async function sendAnswer(questions: readonly Question[], answer: Answer): Promise<void> {
  const sent = await Promise.allSettled(questions.map((question) => answerOne(question, answer)));
  const failed = sent.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function answerOne({ id, notification_id, seen }: Question, answer: Answer): Promise<void> {
  try {
    await call('questions.answer', { id, seen, answer });
  } catch (error) {
    // What it asks now is to be on the card when this is said.
    if (error instanceof InterfaceError && error.problem.question !== undefined) putQuestion(error.problem.question);
    throw error;
  }
  noteFinal('An answer cannot be undone once the agent has it');
  dropDraft(id);
  noteSettled([id, notification_id], TAKEN[answer.type]);
}

interface AnswerBarProps {
  /** As they are drawn: those that still wait. */
  readonly questions: readonly Question[];
  /** What was written: a reply, or why it is denied. */
  readonly words: string;
  /** One for each choice; empty: not yet. */
  readonly chosen: readonly string[];
  readonly guard: CardGuard;
  /** Its sessions that have stopped, and may only need to go on. */
  readonly stopped: Notification['stopped'];
  readonly answered: () => void;
}

export function AnswerBar({ questions, words, chosen, guard, stopped, answered }: AnswerBarProps) {
  const [first] = questions;
  if (first === undefined) return null;
  if (first.answered_by !== null)
    return <p class="unseen">{`The answer of ${first.answered_by} is on its way to the agent`}</p>;
  const takes = (type: Answer['type']): boolean => first.answers.includes(type);
  const act = (answer: Answer) => async (): Promise<undefined> => {
    await sendAnswer(questions, answer);
    answered();
  };
  const all = questions.length > 1 ? ` all ${questions.length}` : '';
  const why = `${first.id}-unseen`;
  const isGuarded = takes('allow') || takes('choose');
  return (
    <div class="buttons answers">
      {takes('allow') ? (
        <ActButton
          // Where something is hard to undo, nothing invites to allow it.
          kind={isRisky({ question: first }) ? 'plain' : 'primary'}
          guard={guard}
          whole={why}
          letter="y"
          act={act({ type: 'allow' })}
        >
          Allow{all}
        </ActButton>
      ) : null}
      {takes('choose') ? (
        <ActButton
          kind="primary"
          guard={guard}
          whole={why}
          letter="y"
          disabled={chosen.includes('')}
          act={act({ type: 'choose', choices: [...chosen] })}
        >
          Answer
        </ActButton>
      ) : null}
      {takes('reply') ? <GoOnButtons stopped={stopped} guard={guard} /> : null}
      {takes('reply') ? (
        <ActButton kind="primary" guard={guard} disabled={words === ''} act={act({ type: 'reply', text: words })}>
          Reply
        </ActButton>
      ) : null}
      {takes('deny') ? (
        <ActButton
          kind="danger"
          guard={guard}
          letter="n"
          act={act({ type: 'deny', message: words === '' ? null : words })}
        >
          Deny{all}
        </ActButton>
      ) : null}
      {isGuarded ? <Unseen id={why} guard={guard} /> : null}
    </div>
  );
}

/** Why it cannot be allowed yet. Its place is kept, so that nothing moves when it goes. */
function Unseen({ id, guard }: { readonly id: string; readonly guard: CardGuard }) {
  return (
    <span id={id} class="unseen">
      {guard.seen.value ? '' : 'First see the end of what is asked'}
    </span>
  );
}
