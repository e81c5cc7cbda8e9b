// Above the inbox: what would become of something urgent that came now, in a sentence; opened, also of a prompt, and what else is so.
import { useIfNow } from '../../store/if-now.ts';
import { WithCode } from '../reading/with-code.tsx';

export function IfNowLine() {
  const shown = useIfNow();
  // Its place is kept, so that nothing moves when it is there.
  if (shown === null) return <div class="if-now" />;
  const { urgent, prompt } = shown;
  // A channel that fails may be in the sentence already.
  const notes = shown.notes.filter(({ text }) => !urgent.outcome.includes(text.replace(/\.$/, '')));
  return (
    <details class={urgent.reaches ? 'if-now' : 'if-now nobody'}>
      <summary>
        <span class="if-now-words">
          <strong>If something urgent came now:</strong> <WithCode text={urgent.outcome} />
          <span class="if-now-notes">
            {' '}
            <WithCode text={notes.map(({ text }) => text).join(' ')} />
          </span>
        </span>
      </summary>
      <ul class="if-now-more">
        <li>
          <strong>If an agent asked something now:</strong> <WithCode text={prompt.outcome} />
        </li>
        {notes.map(({ text }) => (
          <li key={text}>
            <WithCode text={text} />
          </li>
        ))}
      </ul>
    </details>
  );
}
