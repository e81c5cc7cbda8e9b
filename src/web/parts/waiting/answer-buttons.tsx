// The answers that a question takes, each as a button.
import { useState } from 'preact/hooks';
import type { ApiInput } from '../../../http/api/contract.ts';
import { InterfaceError } from '../../../http/api/client.ts';
import { call } from '../../api/access.ts';
import { readAgain } from '../../api/stream.ts';
import type { Question } from '../../api/what-waits.ts';
import type { CardGuard } from '../../lib/cards/card-guard.ts';
import { ActButton } from '../act-button.tsx';

type Answer = ApiInput<'questions.answer'>['answer'];

interface AnswerButtonsProps {
  /** As it is drawn. */
  readonly question: Pick<Question, 'id' | 'answers' | 'answered_by' | 'seen'>;
  /** What was written: a reply, or why it is denied. */
  readonly words: string;
  /** One for each choice; empty: not yet. */
  readonly chosen: readonly string[];
  readonly guard: CardGuard;
}

export function AnswerButtons({ question, words, chosen, guard }: AnswerButtonsProps) {
  const { id, answers, answered_by, seen } = question;
  /** It was taken: the card goes once the list says so, and a second Enter until then is none. */
  const [taken, setTaken] = useState(false);
  const takes = (type: Answer['type']): boolean => answers.includes(type);
  const send = (answer: Answer, said: string) => async (): Promise<string> => {
    try {
      await call('questions.answer', { id, seen, answer });
    } catch (error) {
      // What it asks now is to be on the card when this is said.
      if (error instanceof InterfaceError && error.problem.status === 412) readAgain();
      throw error;
    }
    setTaken(true);
    return said;
  };
  const deny: Answer = { type: 'deny', message: words === '' ? null : words };
  const choose: Answer = { type: 'choose', choices: [...chosen] };
  const why = `${id}-unseen`;
  const isGuarded = takes('allow') || takes('choose');
  if (taken || answered_by !== null) return <Taken by={answered_by} />;
  return (
    <div class="buttons">
      {takes('allow') ? (
        <ActButton kind="primary" guard={guard} whole={why} act={send({ type: 'allow' }, 'Allowed')}>
          Allow
        </ActButton>
      ) : null}
      {takes('choose') ? (
        <ActButton
          kind="primary"
          guard={guard}
          whole={why}
          disabled={chosen.includes('')}
          act={send(choose, 'Answered')}
        >
          Answer
        </ActButton>
      ) : null}
      {takes('reply') ? (
        <ActButton
          kind="primary"
          guard={guard}
          disabled={words === ''}
          act={send({ type: 'reply', text: words }, 'Sent to the agent')}
        >
          Reply
        </ActButton>
      ) : null}
      {takes('deny') ? (
        <ActButton kind="danger" guard={guard} act={send(deny, 'Denied')}>
          Deny
        </ActButton>
      ) : null}
      {isGuarded ? <Unseen id={why} guard={guard} /> : null}
    </div>
  );
}

/** Null: by whoever looks at it. */
function Taken({ by }: { readonly by: string | null }) {
  const words = by === null ? 'Your answer was taken' : `The answer of ${by} is on its way to the agent`;
  return (
    <div class="buttons">
      <span class="unseen">{words}</span>
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
