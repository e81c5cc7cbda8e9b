// The opened channel of a worker, with what must not be shown of it: opened when it is first used, closed when its settings change or its worker ends, whoever uses it first finishing.
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../lib/clock.ts';
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

const MASK = '[redacted]';
/** Shorter ones would take ordinary words out. */
const SHORTEST = 4;
/** A part of an address that is as long as this, or holds a digit and is not short, is taken for a secret of its own. */
const LONG_PART = 16;
const SHORT_PART = 8;

/** Takes these out of texts: encoded, in the parts of an address, and cut off at the text's end. */
export function createSecretMask(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))]
    .filter((form) => form.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  const known = new RegExp(forms.map(escaped).join('|'), 'gi');
  return (text) => maskEnd(text.replace(known, MASK), forms);
}

/** A receiver's answer is bounded: what it says last may be the beginning of a secret. */
function maskEnd(text: string, forms: readonly string[]): string {
  const lower = text.toLowerCase();
  let most = 0;
  for (const form of forms)
    for (let length = Math.min(form.length - 1, text.length); length >= 2 * SHORTEST && length > most; length--)
      if (lower.endsWith(form.slice(0, length).toLowerCase())) most = length;
  return most === 0 ? text : text.slice(0, -most) + MASK;
}

function formsOf(secret: string): string[] {
  const bare = secret.trim().replace(/^whsec_/, '');
  const url = URL.canParse(bare) && /^https?:/i.test(bare) ? new URL(bare) : null;
  return [secret, bare, ...(url === null ? [] : partsOf(url))].flatMap((form) => [form, ...encodingsOf(form)]);
}

/** The host is no secret: errors name it. */
function partsOf(url: URL): string[] {
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()].filter(
    (part) => part.length >= LONG_PART || (part.length >= SHORT_PART && /\d/.test(part)),
  );
  return [url.href, `${url.pathname}${url.search}`, url.pathname, url.password, ...parts];
}

function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [
    encodeURIComponent(bytes.toString('utf8')), // well-formed

    decoded(text),
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that encodes nothing
  }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

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
