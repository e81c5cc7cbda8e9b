// What an agent asks, whole, with the answers that it takes.
import { useState } from 'preact/hooks';
import type { ApiResult } from '../../http/api/contract.ts';
import { subjectOf } from '../lib/subject.ts';
import { AnswerButtons } from './answer-buttons.tsx';
import { ChoiceFields } from './choice-fields.tsx';

export type Question = ApiResult<'questions.list'>['questions'][number];

export function QuestionForm({ question }: { readonly question: Question }) {
  const { id, answers } = question;
  const { text, choices, partial } = subjectOf(question.subject);
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(choices.map(() => ''));
  const replies = answers.includes('reply');
  return (
    <div class="question" data-question={id}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard */}
      <pre class="asked" tabIndex={0}>
        {text}
      </pre>
      {partial === null ? null : (
        <p class="warning">Not all of it is shown ({partial}): only the terminal can allow it.</p>
      )}
      <ChoiceFields id={id} choices={choices} chosen={chosen} choose={setChosen} />
      {replies || answers.includes('deny') ? (
        <label class="field">
          <span>{replies ? 'Your reply' : 'If you deny it: why (optional)'}</span>
          <textarea
            rows={replies ? 3 : 1}
            maxLength={10_000}
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
      ) : null}
      <AnswerButtons question={question} words={words.trim()} chosen={chosen} complete={partial === null} />
    </div>
  );
}
