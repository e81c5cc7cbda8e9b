// The choices of a question: one or several options each, or words of one's own.
import type { Choice } from '../../lib/cards/question-subject.ts';
import type { ChoiceDraft } from '../../store/drafts.ts';

interface ChoiceFieldsProps {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly drafts: readonly ChoiceDraft[];
  readonly change: (drafts: readonly ChoiceDraft[]) => void;
}

export function ChoiceFields({ id, choices, drafts, change }: ChoiceFieldsProps) {
  const replace = (at: number) => (draft: ChoiceDraft) =>
    change(drafts.map((one, index) => (index === at ? draft : one)));
  return (
    <>
      {choices.map((choice, at) => (
        <ChoiceField
          key={choice.question}
          name={`${id}-${at}`}
          choice={choice}
          draft={drafts[at] ?? { ticked: [], words: '' }}
          change={replace(at)}
        />
      ))}
    </>
  );
}

/** What is sent of each choice: the numbers of its options with commas, or words; empty: not yet. */
export function chosenOf(choices: readonly Choice[], drafts: readonly ChoiceDraft[]): readonly string[] {
  return choices.map(({ options, multiple }, at) => {
    const { ticked, words } = drafts[at] ?? { ticked: [], words: '' };
    if (ticked.length === 0) return words.trim();
    // A number means an option by its place, unless options are numbers themselves.
    const areNumbers = options.some((option) => /^\d{1,2}$/.test(option));
    return ticked.map((number) => (!multiple || areNumbers ? (options[number - 1] ?? '') : String(number))).join(',');
  });
}

/** After an option was ticked, or no longer is. */
export function withTick({ multiple }: Choice, { ticked }: ChoiceDraft, number: number): ChoiceDraft {
  const others = ticked.filter((one) => one !== number);
  const next = !multiple ? [number] : others.length < ticked.length ? others : [...ticked, number].sort();
  return { ticked: next, words: '' };
}

interface ChoiceFieldProps {
  readonly name: string;
  readonly choice: Choice;
  readonly draft: ChoiceDraft;
  readonly change: (draft: ChoiceDraft) => void;
}

/** Options that a digit ticks. */
const KEYS = 9;

function ChoiceField({ name, choice, draft, change }: ChoiceFieldProps) {
  const { question, options, descriptions, multiple } = choice;
  return (
    <fieldset class="choices">
      <legend>
        <span class="edge" data-edge />
        {question}
      </legend>
      {options.map((option, at) => {
        const description = descriptions[at] ?? null;
        const described = `${name}-${at}`;
        const digit = at < KEYS ? String(at + 1) : undefined;
        return (
          <div key={option} class="option">
            <label data-digit={digit}>
              <input
                type={multiple ? 'checkbox' : 'radio'}
                name={name}
                checked={draft.ticked.includes(at + 1)}
                aria-keyshortcuts={digit}
                aria-describedby={description === null ? undefined : described}
                onChange={() => change(withTick(choice, draft, at + 1))}
              />
              {option}
            </label>
            {description === null ? null : (
              <p id={described} class="note">
                {description}
              </p>
            )}
          </div>
        );
      })}
      <span class="edge" data-edge />
      <input
        aria-label={`Something else: ${question}`}
        placeholder="Something else"
        maxLength={1_000}
        value={draft.words}
        onInput={(event) => change({ ticked: [], words: event.currentTarget.value })}
      />
    </fieldset>
  );
}
