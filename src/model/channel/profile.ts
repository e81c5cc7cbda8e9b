// What the pipeline knows of a configured channel: who is at its end, and what becomes there of a notification that is over.
import type { ChannelType } from './channel.ts';
import { capabilitiesOf, onResolvedOf } from './capabilities.ts';
import type { OnResolved } from './on-resolved.ts';

/** One configured channel. */
export interface ChannelProfile extends Pick<ChannelType, 'audience' | 'audible'> {
  /** `update` and `remove` only where the channel can do it under its settings. */
  readonly onResolved: OnResolved;
  /** What it shows can be changed. */
  readonly updates: boolean;
}

/** By the channel's name. A channel that is not there any more has none. */
export type ChannelProfiles = ReadonlyMap<string, ChannelProfile>;

/** `general`: what the settings say for all channels that people look at; a record follows its own settings only. */
export function profileOf(channel: ChannelType, settings: unknown, general: OnResolved | null = null): ChannelProfile {
  const { audience, audible } = channel;
  const { update: updates } = capabilitiesOf(channel, settings);
  if (audience === 'people')
    return { audience, ...(audible && { audible }), updates, onResolved: onResolvedOf(channel, settings, general) };
  const onResolved = onResolvedOf(channel, settings);
  // Nothing is removed from a record.
  return { audience, updates, onResolved: onResolved === 'remove' ? (updates ? 'update' : 'keep') : onResolved };
}
