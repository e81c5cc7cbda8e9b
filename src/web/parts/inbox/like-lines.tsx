// Several sessions that ask for the same, one line each: where it is, and an answer of its own.
import type { CardGuard } from '../../lib/cards/card-guard.ts';
import { placeName } from '../../lib/cards/entry-words.ts';
import { subjectOf } from '../../lib/cards/question-subject.ts';
import { shownText } from '../../lib/shown-text.ts';
import type { Line } from '../../store/entries.ts';
import { endingOf } from '../../store/waiting.ts';
import { ActButton } from '../act-button.tsx';
import { Age } from '../age.tsx';
import { type Answer, sendAnswer } from './answer-bar.tsx';

interface LikeLinesProps {
  readonly lines: readonly Line[];
  readonly words: string;
  readonly guard: CardGuard;
  /** The id of what says why it cannot be allowed yet. */
  readonly whole: string;
}

export function LikeLines({ lines, words, guard, whole }: LikeLinesProps) {
  return (
    <ul class="like">
      {lines.map((line) => (
        <LikeLine key={line.item.key} line={line} words={words} guard={guard} whole={whole} />
      ))}
    </ul>
  );
}

function LikeLine({
  line: { item, settledAt },
  words,
  guard,
  whole,
}: Omit<LikeLinesProps, 'lines'> & { readonly line: Line }) {
  const { question, notification } = item;
  if (question === null) return null;
  const { cwd } = subjectOf(question.subject);
  const place = placeName(item);
  const act = (answer: Answer) => async (): Promise<undefined> => {
    await sendAnswer([question], answer);
    return undefined;
  };
  return (
    <li data-question={question.id}>
      <span class="like-place">
        <a href={`/sessions/${encodeURIComponent(question.session_key)}`}>{place}</a>
        <span class="sub">{shownText(cwd ?? '')}</span>
      </span>
      {notification === null ? null : <Age since={notification.happened_at} />}
      {settledAt !== null ? (
        <span class="ending">{endingOf(item) ?? 'Over'}</span>
      ) : (
        <span class="buttons">
          <ActButton label={`Allow: ${place}`} guard={guard} whole={whole} act={act({ type: 'allow' })}>
            Allow
          </ActButton>
          <ActButton
            kind="danger"
            label={`Deny: ${place}`}
            guard={guard}
            act={act({ type: 'deny', message: words === '' ? null : words })}
          >
            Deny
          </ActButton>
        </span>
      )}
    </li>
  );
}
