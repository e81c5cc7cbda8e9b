// Accounts at services that several channels use: what one is answered about requests and quota holds for all of them, and so do its limits.
import type { Clock } from '../../lib/clock.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { LONGEST_HOLD, pauseMs } from '../policy/breaker.ts';
import type { ConfiguredChannel } from './configured-channel.ts';
import { createPace, type Pace } from './pace.ts';
import type { ChannelLimits } from '../../model/channel/channel.ts';

/** A send that takes longer (ms) frees its slot for another session: one hung receiver must not hold up the others. */
const SLOW = 1_000;
/** Slow sends allowed beyond the channel's own limit. */
const SLOW_LIMIT = 32;

export interface Limiter {
  /** How many may begin now; 0 with a wait in ms, or 0 and 0: until one ends. */
  available(): { readonly count: number; readonly waitMs: number };
  /** Whether a change of a message may begin although a send has to keep its distance: buttons must not outlive their question. */
  roomForChange(): boolean;
  /** Counts one in. `isChange`: it changes or takes back a message. */
  acquire(isChange?: boolean): LimiterPlace;
}

/** The place of one send. */
export interface LimiterPlace {
  /** It has ended. */
  readonly end: () => void;
  /** Nothing was sent: the next need not keep its distance. Before `end`. */
  readonly unused: () => void;
}

/** A pace and the distance that it asks for. */
export interface PaceLimit {
  readonly pace: Pace;
  /** 0: none. */
  readonly minIntervalMs: number;
}

/** What the limits of one channel are, asked each time, since changed settings do not end what is under way. */
export interface LimitsNow {
  readonly channel: string;
  readonly limits: () => ChannelLimits;
  /** Those of its account. */
  readonly shared: () => readonly PaceLimit[];
}

/** `freed` is called when a slow send frees its slot. */
export function createLimiter({ channel, limits, shared }: LimitsNow, clock: Clock, freed: () => void): Limiter {
  let slots = 0;
  let inFlight = 0;
  const ownPace = createPace(clock);

  const free = ({ concurrency } = limits()): number =>
    Math.min(concurrency - slots, concurrency + SLOW_LIMIT - inFlight);
  const pacesNow = (): readonly PaceLimit[] => [{ pace: ownPace, minIntervalMs: limits().minIntervalMs }, ...shared()];
  const roomForChange = (): boolean =>
    free() > 0 && pacesNow().every(({ pace, minIntervalMs }) => pace.hasRoomForChange(minIntervalMs));

  /** Counts it among the changes where there is room, else among the sends; the returned function takes that back. */
  function count(isChange: boolean): () => void {
    const asChange = isChange && roomForChange();
    const counted = pacesNow().map(({ pace, minIntervalMs }) =>
      asChange ? pace.countChange(minIntervalMs) : pace.countSend(channel),
    );
    return () => {
      for (const undo of counted) undo();
    };
  }

  return {
    available: () => {
      const count = free();
      if (count <= 0) return { count: 0, waitMs: 0 };
      const paces = pacesNow().filter(({ minIntervalMs }) => minIntervalMs > 0);
      const waitMs = Math.max(0, ...paces.map(({ pace, minIntervalMs }) => pace.waitMs(channel, minIntervalMs)));
      if (waitMs > 0) return { count: 0, waitMs };
      return { count: paces.length === 0 ? count : 1, waitMs: 0 };
    },
    roomForChange,
    acquire: (isChange = false) => {
      const unused = count(isChange);
      slots++;
      inFlight++;
      let held = true;
      const release = (): void => {
        if (held) slots--;
        held = false;
      };
      const cancel = clock.setTimer(SLOW, () => {
        release();
        freed();
      });
      return {
        end: () => {
          cancel();
          release();
          inFlight--;
        },
        unused,
      };
    },
  };
}

type Refused = Extract<Outcome, { readonly ok: false }>;

/** One channel, as far as its account is concerned. */
export interface AccountMember {
  /** The distances that it shares. */
  readonly paces: () => readonly PaceLimit[];
  /** Unix ms until which the service asked the account for silence; 0: it did not. */
  readonly pausedUntil: () => number;
  /** That the account's quota is used up, as another channel was answered; null: nobody was. */
  readonly usedUp: () => Refused | null;
  /** What the channel was answered. */
  readonly report: (outcome: Outcome) => void;
  readonly leave: () => void;
}

/** What a member hears of the others: silence or a used-up quota; or that the service accepts again. */
export type AccountNews = 'refused' | 'accepts';

type Listener = (news: AccountNews) => void;

/** What a service asked of an account. Unix ms. */
interface Standing {
  readonly outcome: Refused;
  readonly at: number;
  readonly until: number;
}

/** More than any channel asks for: ms. */
const LONGEST_DISTANCE = 60_000;
/** A used-up quota whose renewal nobody named is known for so long: ms. */
const UNNAMED = 24 * 3_600_000;

/** Of all channels. Of the accounts' identities only hashes are kept. */
export class Accounts {
  readonly #clock: Clock;
  readonly #paces = new Map<string, Pace>();
  readonly #pauses = new Map<string, Standing>();
  readonly #quotas = new Map<string, Standing>();
  readonly #keys = new WeakMap<ConfiguredChannel, string | null>();
  readonly #members = new Map<
    object,
    { readonly configuredNow: () => ConfiguredChannel; readonly listener: Listener }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `configuredNow`: its settings in force; `listener` hears when another channel of its account was answered. */
  join(configuredNow: () => ConfiguredChannel, listener: Listener): AccountMember {
    const self = {};
    this.#members.set(self, { configuredNow, listener });
    return {
      paces: () => this.#pacesOf(configuredNow()),
      pausedUntil: () => this.#standing(this.#pauses, configuredNow())?.until ?? 0,
      usedUp: () => {
        const found = this.#standing(this.#quotas, configuredNow());
        if (found === null) return null;
        const { retryAfter: asked, ...outcome } = found.outcome;
        return asked === undefined ? outcome : { ...outcome, retryAfter: found.until - this.#clock.now() };
      },
      report: (outcome) => this.#record(outcome, configuredNow(), self),
      leave: () => void this.#members.delete(self),
    };
  }

  #record(outcome: Outcome, from: ConfiguredChannel, self: object): void {
    const key = this.#keyOf(from);
    if (key === null) return;
    if (outcome.ok) {
      if (this.#quotas.delete(key)) this.#announce('accepts', key, self);
      return;
    }
    if (outcome.reason !== 'quota' && outcome.reason !== 'rate-limited') return;
    const isQuota = outcome.reason === 'quota';
    const ms = isQuota ? (outcome.retryAfter ?? UNNAMED) : pauseMs(outcome.retryAfter);
    const error = `${outcome.error} (as the channel ${from.name} of the same account was answered)`;
    const at = this.#clock.now();
    const standing = { outcome: { ...outcome, error }, at, until: at + Math.min(ms, LONGEST_HOLD) };
    (isQuota ? this.#quotas : this.#pauses).set(key, standing);
    this.#announce('refused', key, self);
  }

  #announce(news: AccountNews, key: string, self: object): void {
    for (const [other, { configuredNow, listener }] of this.#members)
      if (other !== self && this.#keyOf(configuredNow()) === key) listener(news);
  }

  /** Not what is over, nor of a time that a clock, since set back, was ahead. */
  #standing(of: Map<string, Standing>, configured: ConfiguredChannel): Standing | null {
    const key = this.#keyOf(configured);
    const found = key === null ? undefined : of.get(key);
    const now = this.#clock.now();
    return found && found.at <= now && now < found.until ? found : null;
  }

  #pacesOf(configured: ConfiguredChannel): PaceLimit[] {
    this.#forgetPaces();
    const { channel, settings } = configured;
    const account = channel.account?.(settings);
    const key = this.#keyOf(configured);
    if (account === undefined || key === null) return [];
    const whole = this.#paceOf(key, account.minIntervalMs);
    if (account.place === undefined) return [whole];
    return [whole, this.#paceOf(sha256(`${key} ${account.place}`), channel.limits(settings).minIntervalMs)];
  }

  #paceOf(key: string, minIntervalMs: number): PaceLimit {
    const pace = this.#paces.get(key) ?? createPace(this.#clock);
    if (minIntervalMs > 0) this.#paces.set(key, pace);
    return { pace, minIntervalMs };
  }

  /** Those of settings that changed. Before any is asked for: one that was not used yet is over too. */
  #forgetPaces(): void {
    if (this.#paces.size <= 2 * this.#members.size) return;
    for (const [key, pace] of this.#paces) if (pace.isOver(LONGEST_DISTANCE)) this.#paces.delete(key);
  }

  /** Null: the channel is alone. */
  #keyOf(configured: ConfiguredChannel): string | null {
    const known = this.#keys.get(configured);
    if (known !== undefined) return known;
    const { channel, settings } = configured;
    const account = channel.account?.(settings);
    const key = account === undefined ? null : sha256(JSON.stringify([channel.type, ...account.identity]));
    this.#keys.set(configured, key);
    return key;
  }
}
