// A command in its steps, with what of it is hard to undo. Its text stays as it is, letter by letter.
import { readCommand } from '../../lib/reading/read-command.ts';
import type { ShellStep } from '../../lib/reading/shell-steps.ts';
import { AskedText } from './asked-text.tsx';

/** What joins two steps, in words. */
const JOINERS: Readonly<Record<string, string>> = {
  '&&': 'then, if that worked',
  '||': 'else, if that failed',
  '|': 'its output into',
  '|&': 'its output and errors into',
  '&': 'and meanwhile',
};

export function Command({ text, cwd }: { readonly text: string; readonly cwd: string | null }) {
  const { steps, dangers, below } = readCommand(text, cwd);
  return (
    <>
      <AskedText look="code">
        <pre class={steps.length > 1 ? 'command stepped' : 'command'}>
          <code>
            {steps.map((step, at) => (
              <Step
                key={at}
                step={at === steps.length - 1 ? ended(step, below) : step}
                isDangerous={(dangers[at]?.length ?? 0) > 0}
              />
            ))}
            {below === '' ? null : <span class="below">{below.slice(1)}</span>}
          </code>
        </pre>
      </AskedText>
      <Dangers steps={steps} dangers={dangers} />
    </>
  );
}

/** The line feed before what is said below ends the last step. */
const ended = ({ text, joiner }: ShellStep, below: string): ShellStep => ({
  text,
  joiner: below === '' ? joiner : `${joiner}\n`,
});

function Step({ step: { text, joiner }, isDangerous }: { readonly step: ShellStep; readonly isDangerous: boolean }) {
  const operator = joiner.trim();
  return (
    <span class={isDangerous ? 'step dangerous' : 'step'}>
      {text}
      {operator === '' ? (
        joiner
      ) : (
        <span class="joiner" data-words={JOINERS[operator]}>
          {joiner}
        </span>
      )}
    </span>
  );
}

interface DangersProps {
  readonly steps: readonly ShellStep[];
  readonly dangers: readonly (readonly string[])[];
}

function Dangers({ steps, dangers }: DangersProps) {
  const found = dangers.flatMap((words, at) => (words.length === 0 ? [] : [{ at, words }]));
  if (found.length === 0) return null;
  return (
    <ul class="dangers" aria-label="Look twice">
      {found.map(({ at, words }) => (
        <li key={at}>
          <strong>Look twice</strong>
          {steps.length > 1 ? ` · step ${at + 1}: ` : ' · '}
          {words.join(', ')}
        </li>
      ))}
    </ul>
  );
}
