// What a notification says besides its title: the error, the last words, what a tool is to do.
import { shownText } from '../../lib/shown-text.ts';
import type { Notification } from '../../store/waiting-item.ts';
import { AskedText } from '../asked/asked-text.tsx';
import { Prose } from '../asked/prose.tsx';
import { WithCode } from '../reading/with-code.tsx';
import { EditedFiles } from './edited-files.tsx';

export function NotificationBody({ notification }: { readonly notification: Notification }) {
  const { text, group, kind, detail, agent, event_ids: ids } = notification;
  const [first] = ids;
  const shown = text === null ? null : shownText(text);
  const said =
    shown === null ? null : agent === 'belfry' ? (
      <AskedText look="prose">
        {shown.split('\n').map((line, at) => (
          <p key={at} class={group === 'failed' && at === 0 ? 'error-text' : undefined}>
            <WithCode text={line} />
          </p>
        ))}
      </AskedText>
    ) : group === 'done' ? (
      <AskedText look="prose">
        <Prose text={shown} />
      </AskedText>
    ) : (
      <AskedText look="code">
        <pre class={group === 'failed' ? 'error-text' : undefined}>{shown}</pre>
      </AskedText>
    );
  return (
    <>
      {said}
      {kind === 'agent.finished' && first !== undefined ? <EditedFiles key={first} event={first} /> : null}
      {kind === 'agent.waiting' ? (
        <p class="note">{AT_TERMINAL[detail ?? ''] ?? 'It waits for you at its terminal.'}</p>
      ) : null}
    </>
  );
}

const AT_TERMINAL: Readonly<Record<string, string>> = {
  permission: 'Answer it at its terminal: it asked in a way that takes no answer from here.',
  question: 'Answer it at its terminal: it asked in a way that takes no answer from here.',
};
