// What the pipeline runner needs of the daemon.
import type { DecideDeps } from '../../decisions/input/decide-input.ts';
import type { ReadBacklog } from '../../ingest/ingest.ts';
import type { MayPrecede } from '../../sources/may-still-arrive.ts';
import type { TurnEvidenceReader } from '../sessions/turn-evidence.ts';

/** What the runner needs; passed in by the daemon. */
export interface PipelineRunnerDeps extends DecideDeps {
  /** An input as it is to be decided, by other evidence. */
  readonly judge: TurnEvidenceReader['judge'];
  /** Undecided journal entries, parsed, in order of `startedAt`; ingest's. */
  readonly backlog: ReadBacklog;
  /** Whether something that began before is still on its way into the journal: what the sources say. */
  readonly precedes: MayPrecede;
  /** Ingest's: sets aside an entry that cannot be decided. */
  readonly giveUp: (entryId: string, why: string) => Promise<void>;
  /** A timer row was set besides those of a decision. */
  readonly wakeTimers: () => void;
  readonly arriving: () => boolean;
  /** There is a backlog to decide, or no longer. */
  readonly backlogged: (is: boolean) => void;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}
