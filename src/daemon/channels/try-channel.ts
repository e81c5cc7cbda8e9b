// One real notification through a channel that is not in the settings yet: no daemon, no journal.
import { attempt, directMessage } from '../../delivery/channel/attempt.ts';
import { createChannelInstances } from '../../delivery/channel/channel-instance.ts';
import type { ConfiguredChannel } from '../../delivery/index.ts';
import { newId } from '../../ipc/id.ts';
import { systemClock } from '../../lib/clock.ts';
import type { ChannelTools } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { deliveryIdOf } from '../../model/ids.ts';
import type { Place } from '../../model/session/place.ts';
import { testContent } from './test-content.ts';

/** Never throws; the outcome holds no secret of the channel. */
export async function tryChannel(
  configured: ConfiguredChannel,
  { place, ...at }: Pick<ChannelTools, 'env' | 'platform' | 'stateFolder'> & { readonly place: Place | null },
): Promise<Outcome> {
  const clock = systemClock;
  const instances = createChannelInstances(configured, { ...at, clock, log: () => undefined });
  const { event, content } = testContent(configured.name, newId(clock.now()), clock.now(), place);
  const message = directMessage(deliveryIdOf(event.id, configured.name), content);
  try {
    return await attempt(instances, { message, receipt: null }, clock);
  } finally {
    await instances.close();
  }
}
