// What an agent asks, whole, with the answers that it takes.
import { useState } from 'preact/hooks';
import type { ApiInput, ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { ActButton } from './act-button.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { subjectOf } from '../lib/subject.ts';

export type Question = ApiResult<'questions.list'>['questions'][number];
type Answer = ApiInput<'questions.answer'>['answer'];

export function QuestionForm({ question }: { readonly question: Question }) {
  const { id, answers } = question;
  const { tool, text, choices, partial } = subjectOf(question.subject);
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(choices.map(() => ''));
  const takes = (type: Answer['type']): boolean => answers.includes(type);
  const send = (answer: Answer, said: string) => async (): Promise<string> => {
    await call('questions.answer', { id, answer });
    return said;
  };
  const asksForText = takes('reply') || takes('deny');
  return (
    <div class="question" data-question={id}>
      {tool === null ? null : <p class="meta">{tool}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard */}
      <pre class="asked" tabIndex={0}>
        {text}
      </pre>
      {partial === null ? null : (
        <p class="warning">Not all of it is shown ({partial}): only the terminal can allow it.</p>
      )}
      <ChoiceFields id={id} choices={choices} chosen={chosen} choose={setChosen} />
      {asksForText ? (
        <label class="field">
          <span>{takes('reply') ? 'Your reply' : 'If you deny it: why (optional)'}</span>
          <textarea
            rows={takes('reply') ? 3 : 1}
            maxLength={10_000}
            value={words}
            onInput={(e) => setWords(e.currentTarget.value)}
          />
        </label>
      ) : null}
      <div class="buttons">
        {takes('allow') && partial === null ? (
          <ActButton kind="primary" act={send({ type: 'allow' }, 'Allowed')}>
            Allow
          </ActButton>
        ) : null}
        {takes('choose') ? (
          <ActButton
            kind="primary"
            disabled={chosen.includes('')}
            act={send({ type: 'choose', choices: [...chosen] }, 'Answered')}
          >
            Answer
          </ActButton>
        ) : null}
        {takes('reply') ? (
          <ActButton
            kind="primary"
            disabled={words.trim() === ''}
            act={send({ type: 'reply', text: words }, 'Sent to the agent')}
          >
            Reply
          </ActButton>
        ) : null}
        {takes('deny') ? (
          <ActButton kind="danger" act={send({ type: 'deny', message: words.trim() === '' ? null : words }, 'Denied')}>
            Deny
          </ActButton>
        ) : null}
      </div>
    </div>
  );
}
