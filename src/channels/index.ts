// The registry of channels, one line each. Config schema, `belfry test`, doctor and the docs table follow from it.
import type { ChannelType } from '../model/channel/channel.ts';
import { command } from './command.ts';
import { desktop } from './desktop.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { mqtt } from './mqtt.ts';
import { ntfy } from './ntfy.ts';
import { pushover } from './pushover.ts';
import { slackApp } from './slack-app.ts';
import { slack } from './slack.ts';
import { sound } from './sound.ts';
import { speech } from './speech.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { terminal } from './terminal.ts';
import { webhook } from './webhook.ts';
import { webpush } from './webpush.ts';

// Each entry's own types are known only inside its file; users of the registry pass validated settings through.
const entries = [
  desktop,
  ntfy,
  telegram,
  slack,
  slackApp,
  discord,
  teams,
  email,
  pushover,
  webpush,
  sound,
  speech,
  terminal,
  webhook,
  command,
  mqtt,
] as const;

/** All channels in the order of the docs. */
export const channels = entries as unknown as readonly ChannelType[];

/** The channel of this type; undefined when there is none. */
export function channelOf(type: string): ChannelType | undefined {
  return channels.find((channel) => channel.type === type);
}
