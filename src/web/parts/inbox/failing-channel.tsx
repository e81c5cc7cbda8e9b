// What can be tried about a channel that its event says is failing: a test of it.
import { call } from '../../api/access.ts';
import { useLive } from '../../api/live.ts';
import { TestChannelButton } from '../test-channel-button.tsx';

/** Nothing where its event names no channel. */
export function FailingChannelTest({ event }: { readonly event: string }) {
  const { value } = useLive(`failing ${event}`, [], (signal) => call('events.get', { id: event }, signal));
  // The attributes of an event are its own.
  const channel = (value?.event.attributes as { readonly channel?: unknown } | undefined)?.channel;
  return typeof channel === 'string' ? <TestChannelButton name={channel} /> : null;
}
