// Which channels would work right away: those that need no settings and work here, and those whose secret is in the environment.
import { isIP } from 'node:net';
import { channels } from '../../channels/index.ts';
import { isPublicAddress } from '../../lib/addresses.ts';
import type { Channel, SendContext } from '../../model/channel.ts';

/** A channel that would work. */
export interface ChannelHere {
  readonly type: string;
  readonly summary: string;
  /** Its lines in config.toml, below its header. */
  readonly lines: string;
  /** Variables its lines name. */
  readonly variables: readonly string[];
}

/** Longest check of a channel, ms. */
const LIMIT = 5_000;

/** Checks without sending anything. */
export async function channelsHere(env: NodeJS.ProcessEnv): Promise<ChannelHere[]> {
  const looked = await Promise.all(
    channels.map(async (channel) => {
      const lines = channel.docs.example;
      const variables = [...lines.matchAll(/"env:(\w+)"/g)].map((match) => match[1] ?? '');
      const here = channel.defaultSettings === null ? isSet(lines, variables, env) : await works(channel, env);
      const local = variables.some((name) => isLocal(env[name] ?? ''));
      const all = local ? `${lines}\nallow_private = true # its address is on this machine or network` : lines;
      return here ? [{ type: channel.type, summary: channel.docs.summary, lines: all, variables }] : [];
    }),
  );
  return looked.flat();
}

/** Everything its example leaves open is in the environment; an address in it is only an example. */
function isSet(example: string, variables: readonly string[], env: NodeJS.ProcessEnv): boolean {
  return variables.length > 0 && !example.includes('://') && variables.every((name) => Boolean(env[name]));
}

async function works(channel: Channel, env: NodeJS.ProcessEnv): Promise<boolean> {
  const tools: SendContext = {
    signal: AbortSignal.timeout(LIMIT),
    now: Date.now,
    env,
    platform: process.platform,
    log: () => undefined,
  };
  const findings = await channel.check(channel.defaultSettings, tools);
  return findings.every((finding) => finding.level !== 'fail');
}

/** An address that channels refuse unless the settings allow it; whoever set the variable intends it. */
function isLocal(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const host = new URL(value).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host));
}
