// What a configured channel can do, and what becomes there of a notification that is resolved.
import type { Capability, ChannelCapabilities, ChannelType } from './channel.ts';
import type { Config } from '../settings/config.ts';
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

/** The setting that is to say who may answer before the channel carries answers; null: none. */
export function answersNeed(channel: Pick<ChannelType, 'answersNeed'>, settings: unknown): string | null {
  return channel.answersNeed?.(settings) ?? null;
}

/** Whether a channel can carry answers: its messages change, it brings back what people do with them, and it is said who may. */
export function canCarryAnswers(
  channel: Pick<ChannelType, 'capabilities' | 'answersNeed'>,
  settings: unknown,
): boolean {
  const { buttons, receive, update } = capabilitiesOf(channel, settings);
  return buttons && receive && update && answersNeed(channel, settings) === null;
}

/** Channels named for answers that carry none until a setting says who may answer. */
export function unansweredChannels(
  { answer, channels }: Pick<Config, 'answer' | 'channels'>,
  typeOf: (name: string) => Pick<ChannelType, 'answersNeed'> | undefined,
): readonly { readonly name: string; readonly setting: string }[] {
  return answer.channels.flatMap((name) => {
    const own = channels.find((channel) => channel.name === name);
    const type = own && typeOf(own.type);
    const setting = own && type ? answersNeed(type, own.settings) : null;
    return setting === null ? [] : [{ name, setting }];
  });
}

/** Why they carry no answers, and what lets them. */
export const whyUnanswered = (name: string, setting: string): string =>
  `everybody who sees its messages could answer; to get them, name who may in \`${setting}\` of [channels.${name}]`;
