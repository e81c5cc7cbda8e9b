// The registry of channels, one line each. Config schema, `belfry test`, doctor and the docs table follow from it.
import type { Channel } from '../model/channel.ts';
import { desktop } from './desktop.ts';
import { slack } from './slack.ts';
import { webhook } from './webhook.ts';

// Each entry's own types are known only inside its file; users of the registry pass validated settings and rendered values through.
const entries = [desktop, slack, webhook] as const;

/** All channels in the order of the docs. */
export const channels = entries as unknown as readonly Channel[];

/** The channel of this type; undefined when there is none. */
export function channelOf(type: string): Channel | undefined {
  return channels.find((channel) => channel.type === type);
}
