// Whether this browser takes notifications, and the button for it.
import { useEffect, useState } from 'preact/hooks';
import { notifyHere, type PushState, pushState, stopHere } from '../../lib/push/browser-push.ts';
import { ActButton } from '../act-button.tsx';

export function BrowserNotifications() {
  const [state, setState] = useState<PushState | null>(null);
  const look = (): Promise<void> => pushState().then(setState, () => setState('unsupported'));
  useEffect(() => void look(), []);
  const act = (work: () => Promise<string>) => async (): Promise<string> => {
    try {
      return await work();
    } finally {
      await look();
    }
  };
  if (state === null || state === 'unsupported') return null;
  if (state === 'blocked')
    return <p class="meta lead-in">This browser blocks notifications of this page: allow them in its settings.</p>;
  return (
    <div class="buttons lead-in">
      {state === 'on' ? (
        <ActButton act={act(stopHere)}>Stop notifying in this browser</ActButton>
      ) : (
        <ActButton act={act(notifyHere)}>Notify in this browser</ActButton>
      )}
    </div>
  );
}
