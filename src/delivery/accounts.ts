// Accounts at services that several channels use: what one is answered about requests and quota holds for all of them.
import type { Clock } from '../lib/clock.ts';
import { sha256 } from '../lib/hash.ts';
import type { Outcome } from '../model/delivery.ts';
import { LONGEST_HOLD, pauseMs } from './breaker.ts';
import type { ConfiguredChannel } from './configured-channel.ts';
import type { PaceLimit } from './limiter.ts';
import { createPace, type Pace } from './pace.ts';

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

/** What a member is told of the others: silence or a used-up quota; or that the service accepts again. */
export type AccountNews = 'refused' | 'accepts';

export interface Accounts {
  /** `configuredNow`: its settings in force; `told` is called when another channel of its account was answered. */
  join(configuredNow: () => ConfiguredChannel, told: (news: AccountNews) => void): AccountMember;
}

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

/** No account is known yet. Of their identities only hashes are kept. */
export function createAccounts(clock: Clock): Accounts {
  const paces = new Map<string, Pace>();
  const pauses = new Map<string, Standing>();
  const quotas = new Map<string, Standing>();
  const keys = new WeakMap<ConfiguredChannel, string | null>();
  const members = new Map<object, { readonly key: () => string | null; readonly told: (news: AccountNews) => void }>();

  function keyOf(configured: ConfiguredChannel): string | null {
    const known = keys.get(configured);
    const key = known === undefined ? accountKey(configured) : known;
    if (known === undefined) keys.set(configured, key);
    return key;
  }

  function paceOf(key: string, minIntervalMs: number): Pace {
    const known = paces.get(key);
    if (known) return known;
    const pace = createPace(clock);
    if (minIntervalMs > 0) paces.set(key, pace);
    return pace;
  }

  /** Those of settings that changed. Before any is asked for: one that was not used yet is over too. */
  function forgetPaces(): void {
    if (paces.size <= 2 * members.size) return;
    for (const [key, pace] of paces) if (pace.isOver(LONGEST_DISTANCE)) paces.delete(key);
  }

  /** Not what is over, nor of a time that a clock, since set back, was ahead. */
  function standing(of: Map<string, Standing>, key: string | null): Standing | null {
    const found = key === null ? undefined : of.get(key);
    const now = clock.now();
    return found && found.at <= now && now < found.until ? found : null;
  }

  return {
    join: (configuredNow, told) => {
      const self = {};
      const key = (): string | null => keyOf(configuredNow());
      const tell = (news: AccountNews): void => {
        const own = key();
        for (const [other, member] of members) if (other !== self && member.key() === own) member.told(news);
      };
      const refuse = (of: Map<string, Standing>, outcome: Refused, ms: number): void => {
        const own = key();
        if (own === null) return;
        const at = clock.now();
        const error = `${outcome.error} (as the channel ${configuredNow().name} of the same account was answered)`;
        of.set(own, { outcome: { ...outcome, error }, at, until: at + Math.min(ms, LONGEST_HOLD) });
        tell('refused');
      };
      members.set(self, { key, told });
      return {
        paces: () => {
          forgetPaces();
          return pacesOf(configuredNow(), key(), paceOf);
        },
        pausedUntil: () => standing(pauses, key())?.until ?? 0,
        usedUp: () => {
          const found = standing(quotas, key());
          if (found === null) return null;
          const { retryAfter: asked, ...outcome } = found.outcome;
          return asked === undefined ? outcome : { ...outcome, retryAfter: found.until - clock.now() };
        },
        report: (outcome) => {
          if (outcome.ok) {
            const own = key();
            if (own !== null && quotas.delete(own)) tell('accepts');
          } else if (outcome.reason === 'quota') refuse(quotas, outcome, outcome.retryAfter ?? UNNAMED);
          else if (outcome.reason === 'rate-limited') refuse(pauses, outcome, pauseMs(outcome.retryAfter));
        },
        leave: () => void members.delete(self),
      };
    },
  };
}

/** Null: the channel is alone. */
function accountKey({ channel, settings }: ConfiguredChannel): string | null {
  const account = channel.account?.(settings);
  return account === undefined ? null : sha256(JSON.stringify([channel.type, ...account.identity]));
}

function pacesOf(
  { channel, settings }: ConfiguredChannel,
  key: string | null,
  paceOf: (key: string, minIntervalMs: number) => Pace,
): PaceLimit[] {
  const account = channel.account?.(settings);
  if (account === undefined || key === null) return [];
  const { minIntervalMs, place } = account;
  const whole = { pace: paceOf(key, minIntervalMs), minIntervalMs };
  if (place === undefined) return [whole];
  const ofPlace = channel.limits(settings).minIntervalMs;
  return [whole, { pace: paceOf(sha256(`${key} ${place}`), ofPlace), minIntervalMs: ofPlace }];
}
