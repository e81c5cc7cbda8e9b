// How each channel of the settings stands, from the store: for the daemon's status, and for the command line beside it.
import type { Attempt } from '../../model/delivery/delivery.ts';
import type { Config } from '../../model/settings/config.ts';
import type { StoreReader } from '../../store/contract.ts';
import { lastAttempt } from './last-attempts.ts';

/** Field names are stable. */
export interface ChannelState {
  readonly name: string;
  readonly type: string;
  readonly state: 'ok' | 'failing';
  readonly since: string | null;
  readonly reason: string | null;
  readonly error: string | null;
  /** While it fails: when it is tried next; with the reason `quota`, when that renews. ISO 8601. */
  readonly next_try: string | null;
  /** How the last attempt at a delivery went; null: nothing was ever sent through it. */
  readonly last_attempt: {
    /** ISO 8601. */
    readonly at: string;
    readonly ok: boolean;
    readonly reason: string | null;
    readonly error: string | null;
  } | null;
  /** Deliveries queued or paused. */
  readonly waiting: number;
}

/** In the order of the settings. `waiting`: as the store counts them. */
export async function channelStates(
  store: Pick<StoreReader, 'deliveries' | 'attempts' | 'health'>,
  configured: Config['channels'],
  waiting: ReadonlyMap<string, number>,
): Promise<readonly ChannelState[]> {
  const health = await store.health();
  const attempts = await Promise.all(configured.map(({ name }) => lastAttempt(store, name)));
  return configured.map(({ name, type }, i) => {
    const known = health.find((entry) => entry.channel === name);
    const failing = known?.state === 'failing' ? known : null;
    return {
      name,
      type,
      state: failing ? 'failing' : 'ok',
      since: failing ? new Date(failing.since).toISOString() : null,
      reason: failing?.reason ?? null,
      error: failing?.error ?? null,
      next_try: failing?.probeAt == null ? null : new Date(failing.probeAt).toISOString(),
      last_attempt: attemptOf(attempts[i] ?? null),
      waiting: waiting.get(name) ?? 0,
    };
  });
}

function attemptOf(attempt: Attempt | null): ChannelState['last_attempt'] {
  if (attempt === null) return null;
  const { at, ok, reason, error } = attempt;
  return { at: new Date(at).toISOString(), ok, reason, error };
}
