// The answers that a question takes, each as a button.
import type { ApiInput, ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { ActButton } from './act-button.tsx';

type Answer = ApiInput<'questions.answer'>['answer'];

interface AnswerButtonsProps {
  readonly question: Pick<ApiResult<'questions.list'>['questions'][number], 'id' | 'answers' | 'seen'>;
  /** What was written: a reply, or why it is denied. */
  readonly words: string;
  /** One for each choice; empty: not yet. */
  readonly chosen: readonly string[];
  /** Whether all that is asked can be seen here. */
  readonly complete: boolean;
}

export function AnswerButtons({ question: { id, answers, seen }, words, chosen, complete }: AnswerButtonsProps) {
  const takes = (type: Answer['type']): boolean => answers.includes(type);
  const send = (answer: Answer, said: string) => async (): Promise<string> => {
    await call('questions.answer', { id, seen, answer });
    return said;
  };
  const deny: Answer = { type: 'deny', message: words === '' ? null : words };
  const choose: Answer = { type: 'choose', choices: [...chosen] };
  return (
    <div class="buttons">
      {takes('allow') && complete ? (
        <ActButton kind="primary" act={send({ type: 'allow' }, 'Allowed')}>
          Allow
        </ActButton>
      ) : null}
      {takes('choose') ? (
        <ActButton kind="primary" disabled={chosen.includes('')} act={send(choose, 'Answered')}>
          Answer
        </ActButton>
      ) : null}
      {takes('reply') ? (
        <ActButton
          kind="primary"
          disabled={words === ''}
          act={send({ type: 'reply', text: words }, 'Sent to the agent')}
        >
          Reply
        </ActButton>
      ) : null}
      {takes('deny') ? (
        <ActButton kind="danger" act={send(deny, 'Denied')}>
          Deny
        </ActButton>
      ) : null}
    </div>
  );
}
