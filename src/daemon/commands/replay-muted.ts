// What a mute kept back: a replay sends it to the channels that the routes name.
import { agentByName } from '../../agents/index.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import { immediateSends, reach } from '../../pipeline/index.ts';
import type { StoredEvent } from '../../store/contract.ts';
import { buildDeliveries } from '../../decisions/build-deliveries.ts';
import { channelProfiles } from '../channels/channel-profiles.ts';
import { redactorFor } from '../shared/redactor-for.ts';
import type { CommandContext } from './context.ts';

/** Deliveries, not written yet, to the channels that a mute kept this event from. `existing`: those of the event. None: no mute did. */
export function mutedDeliveries(
  { event, verdicts }: StoredEvent,
  existing: readonly Delivery[],
  { liveConfig, clock, home }: Pick<CommandContext, 'liveConfig' | 'clock' | 'home'>,
): readonly Delivery[] {
  if (!verdicts.some(({ stage, verdict }) => stage === 'silence' && verdict !== 'pass')) return [];
  const config = liveConfig.config();
  const sent = new Set(existing.map(({ channel }) => channel));
  const channels = reach(event, config, home).filter((channel) => !sent.has(channel));
  const who = agentByName(event.agent)?.title ?? event.agent;
  const at = { config, redactor: redactorFor(() => config)(), now: clock.now() };
  const plan = immediateSends(channels, 'replayed', channelProfiles(config), at.now);
  return buildDeliveries(event, plan, { messages: [] }, who, at);
}
