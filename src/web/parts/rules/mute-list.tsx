// The mutes in force, each with a way to end it, and a new one.
import { call } from '../../api/access.ts';
import { useLive } from '../../api/live.ts';
import { ActButton } from '../act-button.tsx';
import { EmptyState } from '../reading/empty-state.tsx';
import { MuteForm } from './mute-form.tsx';
import { Shown } from '../reading/read-state.tsx';

export function MuteList() {
  const live = useLive('mutes', ['mute'], (signal) => call('mutes.list', {}, signal));
  const end = (id: string) => async (): Promise<string> => {
    await call('mutes.end', { id });
    live.refresh();
    return 'Ended; what it held back comes as a digest';
  };
  return (
    <>
      <Shown of={live}>
        {({ mutes }) =>
          mutes.length === 0 ? (
            <EmptyState title="Nothing is muted" />
          ) : (
            <ul class="steps mutes">
              {mutes.map(({ id, text, reason }) => (
                <li key={id}>
                  <span>
                    {text}
                    {reason === null || text.includes(reason) ? '' : ` (${reason})`}
                  </span>
                  <ActButton label={`End: ${text}`} act={end(id)}>
                    End
                  </ActButton>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <MuteForm added={live.refresh} />
    </>
  );
}
