// Which channels can notify you right away: those that need no settings and work here, and those whose secret is in the environment.
import { channels } from '../../../channels/index.ts';
import { isLocalUrl } from '../../../lib/net/local-url.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { ChannelTools, ChannelType } from '../../../model/channel/channel.ts';

/** A channel that is ready to be written into config.toml. */
export interface ChannelHere {
  readonly type: string;
  readonly summary: string;
  /** Its lines in config.toml, below its header. */
  readonly lines: string;
  /** Secrets that its lines refer to, to be stored. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
}

/** Longest check of a channel, ms. */
const LIMIT = 5_000;

/** Checks without sending anything. */
export async function channelsHere(env: NodeJS.ProcessEnv): Promise<ChannelHere[]> {
  const checked = await Promise.all(
    channels.map(async (channel) => {
      if (channel.defaultSettings === null) return fromEnvironment(channel, env);
      return (await works(channel, env)) ? [here(channel, channel.docs.example, [])] : [];
    }),
  );
  return checked.flat();
}

const here = ({ type, docs }: ChannelType, lines: string, secrets: ChannelHere['secrets']): ChannelHere => ({
  type,
  summary: docs.summary,
  lines,
  secrets,
});

/** Everything its example leaves open is in the environment; an address in it is only an example. */
function fromEnvironment(channel: ChannelType, env: NodeJS.ProcessEnv): ChannelHere[] {
  const { example } = channel.docs;
  const open = [...example.matchAll(/^(\w+) = "env:(\w+)"/gm)].map(([, key = '', name = '']) => ({
    name: key === 'url' ? channel.type : `${channel.type}_${key}`,
    line: `${key} = "env:${name}"`,
    key,
    value: env[name]?.trim() ?? '',
  }));
  if (open.length === 0 || example.includes('://') || open.some(({ value }) => value === '')) return [];
  const lines = open.reduce((text, { line, key, name }) => text.replace(line, `${key} = "secret:${name}"`), example);
  const values = open.map(({ value }) => value);
  return [here(channel, withLeave(lines, values), open)];
}

async function works(channel: ChannelType, env: NodeJS.ProcessEnv): Promise<boolean> {
  const tools: ChannelTools = {
    now: Date.now,
    env,
    platform: process.platform,
    log: () => undefined,
    stateFolder: resolveOwnPaths().state,
  };
  const findings = await channel.check(channel.defaultSettings, { ...tools, signal: AbortSignal.timeout(LIMIT) });
  return findings.every(({ level }) => level !== 'fail');
}

/** Leave for an address that channels refuse otherwise; whoever gives it means it. */
function withLeave(lines: string, values: readonly string[]): string {
  return values.some(isLocalUrl) ? `${lines}\nallow_private = true # its address is on this machine or network` : lines;
}
