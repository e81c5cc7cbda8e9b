// Says when what is shown no longer follows.
import { connection } from '../../api/stream.ts';
import { Age } from '../age.tsx';

export function ConnectionBanner() {
  const state = connection.value;
  return (
    <div role="status">
      {state.state === 'lost' ? (
        <p class="banner">
          Belfry is not running; trying again. What you see is <Age since={new Date(state.since).toISOString()} /> old.{' '}
          <code>belfry start</code> starts it.
        </p>
      ) : null}
    </div>
  );
}
