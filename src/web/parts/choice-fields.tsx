// The choices of a question: one or several options each, or words of one's own.
import type { Choice } from '../lib/subject.ts';

interface ChoiceFieldsProps {
  readonly id: string;
  readonly choices: readonly Choice[];
  /** An option's text for each choice, several with commas. */
  readonly chosen: readonly string[];
  readonly choose: (chosen: readonly string[]) => void;
}

export function ChoiceFields({ id, choices, chosen, choose }: ChoiceFieldsProps) {
  const set = (index: number, value: string): void => choose(chosen.map((one, at) => (at === index ? value : one)));
  return (
    <>
      {choices.map(({ question, options, multiple }, index) => (
        <fieldset key={question} class="choices">
          <legend>{question}</legend>
          {options.map((option, at) => {
            const number = String(at + 1);
            const now = (chosen[index] ?? '').split(',').filter((one) => one !== '');
            const on = now.includes(number);
            const next = multiple ? (on ? now.filter((one) => one !== number) : [...now, number].sort()) : [number];
            return (
              <label key={option}>
                <input
                  type={multiple ? 'checkbox' : 'radio'}
                  name={`${id}-${index}`}
                  checked={on}
                  onChange={() => set(index, next.join(','))}
                />
                {option}
              </label>
            );
          })}
        </fieldset>
      ))}
    </>
  );
}
