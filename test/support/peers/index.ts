// Every channel that hands messages to a service, with the tests' stand-in for that service.
import { channels } from '../../../src/channels/index.ts';
import { discordPeer } from './discord.ts';
import { commandPeer, webhookPeer } from './documents.ts';
import { emailPeer } from './email.ts';
import { type LocalPeer, soundPeer, speechPeer, terminalPeer } from './local.ts';
import { mqttPeer } from './mqtt.ts';
import { ntfyPeer } from './ntfy.ts';
import type { Peer } from './peer.ts';
import { pushoverPeer } from './pushover.ts';
import { webPushPeer } from './push.ts';
import { slackAppPeer, slackPeer } from './slack.ts';
import { teamsPeer } from './teams.ts';
import { telegramPeer } from './telegram.ts';

export type { LocalPeer } from './local.ts';
export type { Peer, Seen } from './peer.ts';

/** By type. */
export const PEERS: Readonly<Record<string, () => Promise<Peer>>> = {
  ntfy: ntfyPeer,
  telegram: telegramPeer,
  slack: slackPeer,
  'slack-app': slackAppPeer,
  discord: discordPeer,
  teams: teamsPeer,
  email: emailPeer,
  pushover: pushoverPeer,
  webhook: webhookPeer,
  command: commandPeer,
  mqtt: mqttPeer,
  webpush: webPushPeer,
};

/** Channels that have no service: what they show is on this machine. By type. */
export const LOCAL_PEERS: Readonly<Record<string, () => Promise<LocalPeer>>> = {
  sound: soundPeer,
  speech: speechPeer,
  terminal: terminalPeer,
};
const WITHOUT = ['desktop', ...Object.keys(LOCAL_PEERS)];

/** Types in the registry that have no peer here; a test says that there are none. */
export const unnamedTypes = (): readonly string[] =>
  channels.map(({ type }) => type).filter((type) => !(type in PEERS) && !WITHOUT.includes(type));

/** `[channels.NAME]` with these settings. */
export function channelTable(name: string, settings: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${toml(value)}`);
  return [`[channels.${name}]`, ...lines, ''].join('\n');
}

function toml(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key} = ${toml(each)}`)
    .join(', ')} }`;
}
