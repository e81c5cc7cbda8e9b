// The choices of a question: one or several options each, or words of one's own.
import { useState } from 'preact/hooks';
import type { Choice } from '../../lib/cards/question-subject.ts';

interface ChoiceFieldsProps {
  readonly id: string;
  readonly choices: readonly Choice[];
  /** For each choice the numbers of its options with commas, or words; empty: not yet. */
  readonly chosen: readonly string[];
  readonly choose: (chosen: readonly string[]) => void;
}

export function ChoiceFields({ id, choices, chosen, choose }: ChoiceFieldsProps) {
  return (
    <>
      {choices.map((choice, index) => (
        <ChoiceField
          key={choice.question}
          name={`${id}-${index}`}
          choice={choice}
          choose={(value) => choose(chosen.map((one, at) => (at === index ? value : one)))}
        />
      ))}
    </>
  );
}

interface ChoiceFieldProps {
  readonly name: string;
  readonly choice: Choice;
  readonly choose: (value: string) => void;
}

function ChoiceField({ name, choice: { question, options, descriptions, multiple }, choose }: ChoiceFieldProps) {
  const [ticked, setTicked] = useState<readonly number[]>([]);
  const [words, setWords] = useState('');
  // A number means an option by its place, unless options are numbers themselves.
  const areNumbers = options.some((option) => /^\d{1,2}$/.test(option));
  const named = (number: number): string => (!multiple || areNumbers ? (options[number - 1] ?? '') : String(number));
  const tick = (number: number): void => {
    const others = ticked.filter((one) => one !== number);
    const next = !multiple ? [number] : others.length < ticked.length ? others : [...ticked, number].sort();
    setTicked(next);
    setWords('');
    choose(next.map(named).join(','));
  };
  const say = (text: string): void => {
    setTicked([]);
    setWords(text);
    choose(text.trim());
  };
  return (
    <fieldset class="choices">
      <legend>
        <span class="edge" data-edge />
        {question}
      </legend>
      {options.map((option, at) => {
        const description = descriptions[at] ?? null;
        const described = `${name}-${at}`;
        return (
          <div key={option}>
            <label>
              <input
                type={multiple ? 'checkbox' : 'radio'}
                name={name}
                checked={ticked.includes(at + 1)}
                aria-describedby={description === null ? undefined : described}
                onChange={() => tick(at + 1)}
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
        value={words}
        onInput={(event) => say(event.currentTarget.value)}
      />
    </fieldset>
  );
}
