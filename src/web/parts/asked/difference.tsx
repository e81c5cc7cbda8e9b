// A difference, line by line, with the numbers of the lines.
import type { DifferenceLine } from '../../lib/reading/line-difference.ts';

interface DifferenceProps {
  readonly lines: readonly DifferenceLine[];
  /** The numbers are those of the file; else they count within the passage. */
  readonly isOfFile: boolean;
}

const MARKS = { same: ' ', removed: '-', added: '+' } as const;
const WORDS = { same: '', removed: 'removed: ', added: 'added: ' } as const;

export function Difference({ lines, isOfFile }: DifferenceProps) {
  const isNew = lines.every(({ type }) => type === 'added');
  const note = isNew ? 'New text' : isOfFile ? null : 'Lines are counted within the passage';
  return (
    <>
      {note === null ? null : <p class="note">{note}</p>}
      <pre class="difference-lines">
        {lines.map(({ type, text, before, after }, at) => (
          <span key={at} class={`line-${type}`}>
            <span class="number" data-number={before ?? ''} aria-hidden="true" />
            <span class="number" data-number={after ?? ''} aria-hidden="true" />
            <span class="hidden">{WORDS[type]}</span>
            <span class="mark-of-line" data-mark={MARKS[type]} aria-hidden="true" />
            <span>{text === '' ? '\n' : text}</span>
          </span>
        ))}
      </pre>
    </>
  );
}
