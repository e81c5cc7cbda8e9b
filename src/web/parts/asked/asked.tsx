// What is asked, as somebody reads it: a command in its steps, a change as a difference, a plan laid out, anything else as it was written.
import type { Subject } from '../../lib/cards/question-subject.ts';
import { differencesIn } from '../../lib/reading/line-difference.ts';
import { toolKind } from '../../../model/agent/tool-kinds.ts';
import { AskedText } from './asked-text.tsx';
import { Command } from './command.tsx';
import { Difference } from './difference.tsx';
import { Prose } from './prose.tsx';

interface AskedProps {
  readonly kind: 'permission' | 'choice' | 'text';
  readonly subject: Pick<Subject, 'tool' | 'cwd'>;
  readonly text: string;
}

export function Asked({ kind, subject: { tool, cwd }, text }: AskedProps) {
  if (text === '') return null;
  const use = kind === 'permission' ? toolKind(tool) : 'plan';
  if (use === 'plan')
    return (
      <AskedText look="prose">
        <Prose text={text} />
      </AskedText>
    );
  if (use === 'shell') return <Command text={text} cwd={cwd} />;
  const parts = use === 'editor' ? differencesIn(text) : [{ type: 'text', text } as const];
  return (
    <AskedText look="code">
      {parts.map((part, at) =>
        part.type === 'text' ? (
          <pre key={at}>
            <code>{part.text}</code>
          </pre>
        ) : (
          <Difference key={at} lines={part.lines} isOfFile={part.isOfFile} />
        ),
      )}
    </AskedText>
  );
}
