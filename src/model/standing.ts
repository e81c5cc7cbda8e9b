// How a session stands, as `belfry sessions` shows it: the ledger's row, and what it cannot know said as such.
import type { SessionRecord, SessionState } from './session.ts';

/** A session without a word for this long (ms), whose process nobody sees, may be over: nobody knows. */
const UNCERTAIN = 12 * 3_600_000;
const OVER: ReadonlySet<SessionState> = new Set<SessionState>(['ended', 'failed']);

/** One row of `belfry sessions`; times are Unix ms. */
export interface Standing {
  readonly agent: string;
  readonly session: string;
  readonly project: string | null;
  readonly branch: string | null;
  readonly title: string | null;
  /** `unknown`: it has long been silent, and its process cannot be seen from here. */
  readonly state: SessionState;
  readonly since: number;
  /** permission, question, idle, ...; what still runs, while in the background; else null. */
  readonly waitingFor: string | null;
  readonly lastWords: string | null;
  readonly cwd: string | null;
  readonly lastEvent: number;
  /** Session this one is a subagent of. */
  readonly parent: string | null;
  /** Whether the client's process is watched from here. */
  readonly process: 'watched' | 'unknown';
}

function waitingFor(record: SessionRecord): string | null {
  if (record.state !== 'background') return record.waitingFor;
  return record.running.map((work) => work.label ?? work.type).join(', ') || null;
}

/** How one session stands at `now`, Unix ms. */
export function standingOf(record: SessionRecord, now: number): Standing {
  const over = OVER.has(record.state);
  const lost = !over && record.process === null && now - record.lastEvent > UNCERTAIN;
  return {
    agent: record.agent,
    session: record.sessionId,
    project: record.project,
    branch: record.branch,
    title: record.title,
    state: lost ? 'unknown' : record.state,
    since: lost ? record.lastEvent : record.since,
    waitingFor: lost ? null : waitingFor(record),
    lastWords: record.lastWords,
    cwd: record.cwd,
    lastEvent: record.lastEvent,
    parent: record.parentSessionId,
    process: record.process === null || over ? 'unknown' : 'watched',
  };
}

const ORDER: readonly SessionState[] = [
  'waiting',
  'failed',
  'working',
  'background',
  'started',
  'finished',
  'unknown',
  'ended',
];

/** Sessions as they stand: who needs somebody first, then the latest. */
export function standings(records: readonly SessionRecord[], now: number): readonly Standing[] {
  return records
    .map((record) => standingOf(record, now))
    .sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || b.lastEvent - a.lastEvent);
}
