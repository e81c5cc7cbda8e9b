// The daemon's own status, for `belfry status` and doctor.
import type { LiveConfig } from '../../config/live/config-watcher.ts';
import { limitWords } from '../../model/agent/limits.ts';
import { awayAt } from '../../model/presence/away.ts';
import { watchStatus } from '../../sources/watch-health.ts';
import { type ChannelState, channelStates } from '../channels/channel-states.ts';
import { ifNow, type IfNowDeps } from '../processing/if-now.ts';
import { describeSilence } from '../../model/event/silence-words.ts';
import type { Store } from '../../store/contract.ts';
import { readPending } from '../../store/pending.ts';
import type { CommandContext } from './context.ts';
import type { HttpService } from '../shared/http-service.ts';
import { isDiskFull } from '../../lib/files/disk-full.ts';
import type { OutageTracker } from '../journal/journal-outage.ts';

/** The answer to `status`; field names are stable. */
export interface DaemonStatus {
  /** ISO 8601. */
  readonly started_at: string;
  readonly settings: {
    readonly file: string;
    readonly origin: 'file' | 'defaults' | 'last good';
    /** The machine-wide settings in force; null: there are none. */
    readonly machine: string | null;
    /** The first error of an invalid file, with line and column; null when it is valid. */
    readonly broken: string | null;
    /** What of one's own settings is not in force since the machine-wide ones changed: the key and why, one line each. */
    readonly left_out: readonly string[];
    /** The locked keys of the machine-wide settings in force. */
    readonly locked: readonly string[];
  };
  readonly channels: readonly ChannelState[];
  /** The watches of the settings. */
  readonly watches: readonly {
    readonly name: string;
    /** ISO 8601; null: not yet. */
    readonly last_poll: string | null;
    /** Of the last poll; null: it worked. */
    readonly error: string | null;
    /** ISO 8601; null: not scheduled. */
    readonly next_poll: string | null;
  }[];
  /** The time in which the journal cannot be written, or last could not; null: none since the daemon started. */
  readonly journal_outage: {
    /** ISO 8601. */
    readonly since: string;
    /** Null: it has not ended. */
    readonly until: string | null;
    /** When it was last rejected. */
    readonly last: string;
    readonly rejected: number;
    /** Rejected ones that were submitted again and written: from the spool, mostly. */
    readonly recovered: number;
    readonly error: string;
    readonly disk_full: boolean;
    readonly folder: string;
  } | null;
  /** Addresses of the HTTP interface that are listened on. */
  readonly http: readonly string[];
  /** Addresses of the settings that it cannot listen on, as where another program has the port. */
  readonly http_refused: readonly string[];
  /** One line each. */
  readonly mutes: readonly string[];
  /** What would become of a prompt, or of something urgent, that came now; one or two sentences. */
  readonly if_now: string;
  /** Usage limits that stop sessions now. */
  readonly limits: readonly {
    readonly agent: string;
    /** "5-hour limit". */
    readonly limit: string;
    /** ISO 8601; null: not known. */
    readonly resets_at: string | null;
    readonly sessions: number;
    /** Those that Belfry lets go on by itself; absent where the daemon is an older one. */
    readonly continuing?: number;
  }[];
  /** ISO 8601: until when the person is away, as `belfry away` said; null: not away. */
  readonly away_until: string | null;
  /** What `belfry pending` lists: unacknowledged notifications, a group as one, and those whose question is open. */
  readonly open_notifications: number;
  /** Unanswered questions. */
  readonly open_questions: number;
  readonly events: number;
  /** Entries of the journal that are not processed yet. */
  readonly pending_entries: number;
  readonly deliveries: Readonly<Record<string, number>>;
  readonly database_bytes: number;
  readonly memory_bytes: number;
}

/** Gathers it. */
export async function statusOf(at: {
  readonly store: Store;
  readonly liveConfig: LiveConfig;
  readonly outages: OutageTracker;
  readonly stoppingLimits: CommandContext['stoppingLimits'];
  readonly http: Pick<HttpService, 'addresses' | 'refused'>;
  readonly file: string;
  readonly folder: string;
  readonly startedAt: number;
  readonly now: number;
  readonly gate: IfNowDeps;
}): Promise<DaemonStatus> {
  const { store, liveConfig, file, now } = at;
  const [counts, silences, pending, machine, forecast, limits] = await Promise.all([
    store.counts(),
    store.silences(now),
    readPending(store),
    store.machine(),
    ifNow(at.gate),
    at.stoppingLimits(),
  ]);
  const away = awayAt(machine, now);
  const forAll = liveConfig.machine();
  const { channels: configured, watches } = liveConfig.config();
  const channels = await channelStates(store, configured, counts.waiting);
  return {
    started_at: new Date(at.startedAt).toISOString(),
    settings: {
      file,
      origin: liveConfig.origin(),
      broken: liveConfig.invalid()?.line ?? null,
      left_out: liveConfig.leftOut(),
      machine: forAll.config === null ? null : forAll.file,
      locked: forAll.config?.locks.map(({ key }) => key) ?? [],
    },
    channels,
    watches: (await watchStatus(store, Object.keys(watches))).map(({ name, polledAt, error, next }) => ({
      name,
      last_poll: isoOrNull(polledAt),
      error,
      next_poll: isoOrNull(next),
    })),
    journal_outage: outageOf(at.outages, at.folder),
    http: at.http.addresses(),
    http_refused: at.http.refused(),
    mutes: silences.map(describeSilence),
    if_now: forecast.text,
    limits: limits.map(({ agent, limit, sessions, continuing }) => ({
      agent,
      limit: limitWords(limit.name),
      resets_at: isoOrNull(limit.resetsAt),
      sessions,
      continuing,
    })),
    away_until: isoOrNull(away?.until ?? null),
    open_notifications: pending.notifications.length + pending.beyond,
    open_questions: counts.openQuestions,
    events: counts.events,
    pending_entries: counts.undecided,
    deliveries: counts.deliveries,
    database_bytes: counts.bytes,
    memory_bytes: process.memoryUsage.rss(),
  };
}

const isoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function outageOf(outages: OutageTracker, folder: string): DaemonStatus['journal_outage'] {
  const outage = outages.outage();
  if (outage === null) return null;
  const { since, until, last, refused, recovered, error } = outage;
  return {
    since: new Date(since).toISOString(),
    until: until === null ? null : new Date(until).toISOString(),
    last: new Date(last).toISOString(),
    rejected: refused,
    recovered,
    error,
    disk_full: isDiskFull(error),
    folder,
  };
}
