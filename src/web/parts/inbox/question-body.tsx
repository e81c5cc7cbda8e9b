// What an agent asks, whole, with the fields of its answer.
import { beforeChoices, onlyAtTerminal } from '../../../model/question/question-words.ts';
import { subjectOf } from '../../lib/cards/question-subject.ts';
import type { Draft } from '../../store/drafts.ts';
import type { Question } from '../../store/waiting-item.ts';
import { Asked } from '../asked/asked.tsx';
import { ChoiceFields } from '../asked/choice-fields.tsx';

interface QuestionBodyProps {
  readonly question: Question;
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  /** What it asks is not what it asked when the card was first drawn. */
  readonly changed: boolean;
}

export function QuestionBody({ question, draft, change, changed }: QuestionBodyProps) {
  const subject = subjectOf(question.subject);
  const { text, choices } = subject;
  const thereOnly = onlyAtTerminal(question);
  return (
    <>
      {changed ? <p class="warning">What it asks has changed since you looked: this is what it asks now.</p> : null}
      <Asked kind={question.kind} subject={subject} text={beforeChoices(text, choices)} />
      {thereOnly === null ? null : <p class="warning">{thereOnly}</p>}
      <ChoiceFields
        id={question.id}
        choices={choices}
        drafts={draft.choices}
        change={(next) => change({ ...draft, choices: next })}
      />
    </>
  );
}

/** Where words are written: a reply, or why it is denied. */
export function WordsField({ question, draft, change }: Omit<QuestionBodyProps, 'changed'>) {
  const replies = question.answers.includes('reply');
  if (!replies && !question.answers.includes('deny')) return null;
  return (
    <label class="field words-field">
      <span>{replies ? 'Your reply' : 'If you deny it: why (optional)'}</span>
      <textarea
        rows={replies ? 3 : 1}
        maxLength={10_000}
        value={draft.words}
        data-key="r"
        onInput={(event) => change({ ...draft, words: event.currentTarget.value })}
        onKeyDown={sendByKey}
      />
    </label>
  );
}

/** Control and Enter press the answer that takes words; the card says whether that counts. */
function sendByKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  event.preventDefault();
  const card = event.currentTarget instanceof HTMLElement ? event.currentTarget.closest('[data-subject]') : null;
  const buttons = [...(card?.querySelectorAll<HTMLElement>('.answers button') ?? [])];
  buttons.find((button) => button.matches('.danger') || !button.hasAttribute('data-key'))?.click();
}
