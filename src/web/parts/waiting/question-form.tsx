// What an agent asks, whole, with the answers that it takes.
import { useState } from 'preact/hooks';
import { beforeChoices, onlyAtTerminal } from '../../../model/question/question-words.ts';
import type { Question } from '../../api/what-waits.ts';
import type { CardGuard } from '../../lib/cards/card-guard.ts';
import { subjectOf } from '../../lib/cards/question-subject.ts';
import { AnswerButtons } from './answer-buttons.tsx';
import { AskedText } from './asked-text.tsx';
import { ChoiceFields } from './choice-fields.tsx';

interface QuestionFormProps {
  readonly question: Question;
  readonly guard: CardGuard;
  /** What it asks is not what it asked when the card was first drawn. */
  readonly changed: boolean;
}

export function QuestionForm({ question, guard, changed }: QuestionFormProps) {
  const { id, answers } = question;
  const { text, choices } = subjectOf(question.subject);
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(choices.map(() => ''));
  const thereOnly = onlyAtTerminal(question);
  const replies = answers.includes('reply');
  return (
    <div class="question" data-question={id}>
      {changed ? <p class="warning">What it asks has changed since you looked: this is what it asks now.</p> : null}
      <AskedText text={beforeChoices(text, choices)} />
      {thereOnly === null ? null : <p class="warning">{thereOnly}</p>}
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
      <AnswerButtons question={question} words={words.trim()} chosen={chosen} guard={guard} />
    </div>
  );
}
