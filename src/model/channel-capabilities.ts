// What a configured channel can do, and what becomes there of a notification that is resolved.
import type { Capability, ChannelCapabilities, ChannelType } from './channel.ts';
import type { OnResolved } from './on-resolved.ts';

const NAMES = [
  'update',
  'retract',
  'receive',
  'thread',
  'buttons',
  'reply',
  'priority',
  'mirror',
  'idempotent',
] as const;

/** Capabilities under these settings, which the channel's schema validated. */
export function capabilitiesOf({ capabilities }: Pick<ChannelType, 'capabilities'>, settings: unknown) {
  const given = typeof settings === 'object' && settings !== null ? (settings as Record<string, unknown>) : {};
  const has = (capability: Capability = false): boolean =>
    typeof capability === 'string' ? Boolean(given[capability]) : capability;
  const all = NAMES.map((name) => [name, has(capabilities[name])]);
  return Object.fromEntries(all) as unknown as ChannelCapabilities; // by NAMES
}

/** What becomes there of a message that is pointless: the channel's own setting, else `general`, else its default; `keep` where it cannot be done. */
export function onResolvedOf(channel: ChannelType, settings: unknown, general: OnResolved | null = null): OnResolved {
  const own = (settings as { readonly on_resolved?: OnResolved } | null)?.on_resolved;
  const wanted = own ?? general ?? channel.onResolved;
  const { update, retract } = capabilitiesOf(channel, settings);
  if (wanted === 'remove') return retract ? 'remove' : update ? 'update' : 'keep';
  return wanted === 'update' && !update ? 'keep' : wanted;
}
