// The opened channel of a worker: opened when it is first used, closed when its settings change or its worker ends, whoever uses it first finishing.
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../lib/clock.ts';
import { createSecretMask } from '../../lib/secrets/secret-mask.ts';
import { settledWithin } from '../../lib/async/settled-within.ts';
import type {
  ChannelCapabilities,
  ChannelLimits,
  ChannelTools,
  ChannelType,
  OpenChannel,
} from '../../model/channel/channel.ts';
import { capabilitiesOf } from '../../model/channel/capabilities.ts';
import { secretFields, textsIn } from '../../model/settings/secret-fields.ts';
import type { ConfiguredChannel } from './configured-channel.ts';

/** What instances need of their surroundings. */
export type InstanceDeps = Omit<ChannelTools, 'now'> & { readonly clock: Clock };

/** An opened channel, and what takes its secrets out of texts. */
export interface ChannelInstance {
  readonly configured: ConfiguredChannel;
  readonly open: OpenChannel;
  readonly mask: (text: string) => string;
}

export interface ChannelInstances {
  /** How much may be sent, by the settings in force. */
  readonly limits: () => ChannelLimits;
  readonly capabilities: () => ChannelCapabilities;
  readonly audience: () => ChannelType['audience'];
  /** The settings in force. */
  readonly configured: () => ConfiguredChannel;
  /** Rejects where the channel cannot be opened, or as `work` does. The instance is not closed before `work` has ended. */
  use<T>(work: (instance: ChannelInstance) => Promise<T>): Promise<T>;
  /** Settings that are the same keep their instance; whether they are not. */
  readonly configure: (next: ConfiguredChannel) => boolean;
  /** Resolves when every instance is closed, or has had its time. */
  close(): Promise<void>;
}

/** Longest that a channel may take to close, ms. */
const CLOSING = 3_000;

interface Held {
  readonly instance: ChannelInstance;
  users: number;
  retired: boolean;
}

/** Opens nothing yet. */
export function createChannelInstances(first: ConfiguredChannel, deps: InstanceDeps): ChannelInstances {
  let configured = first;
  let current: Held | null = null;
  const closing = new Set<Promise<void>>();

  function closeUnused(held: Held): void {
    if (!held.retired || held.users > 0) return;
    const done = closeWithin(held.instance, deps).finally(() => closing.delete(done));
    closing.add(done);
  }

  function retire(): void {
    if (current === null) return;
    const held = current;
    current = null;
    held.retired = true;
    closeUnused(held);
  }

  return {
    limits: () => configured.channel.limits(configured.settings),
    capabilities: () => capabilitiesOf(configured.channel, configured.settings),
    audience: () => configured.channel.audience,
    configured: () => configured,
    use: async (work) => {
      current ??= { instance: openInstance(configured, deps), users: 0, retired: false };
      const held = current;
      held.users++;
      try {
        return await work(held.instance);
      } finally {
        held.users--;
        closeUnused(held);
      }
    },
    configure: (next) => {
      const isSame =
        next.channel.open === configured.channel.open &&
        next.level === configured.level && // what is shown without being sent has it, too
        isDeepStrictEqual(next.settings, configured.settings);
      configured = next;
      if (!isSame) retire();
      return !isSame;
    },
    close: async () => {
      retire();
      await Promise.all(closing);
    },
  };
}

function openInstance(
  configured: ConfiguredChannel,
  { clock, env, platform, log, stateFolder, clients }: InstanceDeps,
): ChannelInstance {
  const mask = createSecretMask(secretsOf(configured));
  const own = { now: () => clock.now(), log: masked(log, mask) };
  const tools = { ...own, env, platform, stateFolder, ...(clients && { clients }) };
  return { configured, mask, open: configured.channel.open(configured.settings, tools) };
}

/** Never rejects: a bug in closing is not the worker's. */
async function closeWithin({ configured, open }: ChannelInstance, { clock, log }: InstanceDeps): Promise<void> {
  const failed = (error: unknown): void =>
    log('delivery: a channel could not be closed', {
      channel: configured.name,
      error: error instanceof Error ? error.name : typeof error,
    });
  const close = async (): Promise<void> => open.close();
  await settledWithin([close().catch(failed)], CLOSING, clock);
}

/** What its schema calls a secret, and every address: a path or a query may be one. */
function secretsOf({ channel, settings }: ConfiguredChannel): readonly string[] {
  const addresses = textsIn(settings).filter(({ value }) => URL.canParse(value));
  return [...secretFields(channel.schema, settings), ...addresses].map(({ value }) => value);
}

function masked(log: ChannelTools['log'], mask: (text: string) => string): ChannelTools['log'] {
  return (message, fields = {}) => {
    const safe = Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? mask(value) : value]);
    log(mask(message), Object.fromEntries(safe));
  };
}
