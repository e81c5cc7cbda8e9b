// Everything between the journal and the outbox: pipeline runner, enrichment, scheduler and liveness monitor.
import { createEnricher } from '../../enrichment/index.ts';
import { createRepoInfoReader } from '../../enrichment/repo-info.ts';
import type { MessageService } from '../../enrichment/service-messages.ts';
import type { Files } from '../../files/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { createEmitter } from '../../lib/async/emitter.ts';
import type { Agent } from '../../model/agent/agent.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Event } from '../../model/event/event.ts';
import type { ReadBacklog } from '../../ingest/ingest.ts';
import type { Incoming } from '../../model/event/incoming.ts';
import { HOLD } from '../../model/delivery/holds.ts';
import { BATCH, LIMIT, REMIND, STALL } from '../../pipeline/index.ts';
import type { PromptWindow } from '../../presence/index.ts';
import type { Redactor } from '../../redaction/index.ts';
import type { MayPrecede } from '../../sources/may-still-arrive.ts';
import { SERVICE } from '../../sources/watch-events.ts';
import type { Writer } from '../../decisions/writer.ts';
import type { ChannelProfiles } from '../../model/channel/profile.ts';
import type { Store } from '../../store/contract.ts';
import { batchHandler } from '../../decisions/batch/let-out.ts';
import { reminderHandler } from '../../decisions/next-reminder.ts';
import { createLivenessMonitor, LIVENESS_TIMER } from '../sessions/liveness.ts';
import type { ProcessInspector } from '../sessions/process-inspector.ts';
import { stallHandler } from '../sessions/stall-check.ts';
import type { OpenPrompts } from '../sessions/open-prompts.ts';
import { createAccountLimits, type StoppingLimit } from '../sessions/account-limits.ts';
import { createTurnEvidence, type TurnEvidenceReader } from '../sessions/turn-evidence.ts';
import { createTurnWatcher } from '../sessions/turn-watcher.ts';
import { createPipelineRunner } from './pipeline-runner.ts';
import type { PipelineRunnerDeps } from './pipeline-runner-deps.ts';
import { createScheduler } from './scheduler.ts';
import type { TimerHandler } from '../../model/event/verdict.ts';

/** What it needs. */
export interface EventProcessorDeps {
  readonly store: Store;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly profiles: () => ChannelProfiles;
  readonly redactor: () => Redactor;
  readonly agents: (name: string) => Agent | undefined;
  readonly home: string;
  /** Looks at working folders and transcripts. */
  readonly files: Files;
  /** The folder for temporary files, where clients leave reports. */
  readonly temporary: string;
  readonly promptWindow: PromptWindow;
  readonly openPrompts: Pick<OpenPrompts, 'start'>;
  /** Finds clients among a hook's ancestors, and says which have exited. */
  readonly inspector: ProcessInspector;
  /** The service's client, made with `retries: 0`; null where none is configured. */
  readonly service: () => MessageService | null;
  /** Ingest's: undecided entries, and an internal event to be journaled (a known id changes nothing). */
  readonly backlog: ReadBacklog;
  /** Whether something that began before is still on its way into the journal. */
  readonly precedes: MayPrecede;
  readonly raise: (event: Event, occurrence: string) => Promise<void>;
  /** Ingest's: sets aside an entry that cannot be decided. */
  readonly giveUp: (entryId: string, why: string) => Promise<void>;
  /** Ingest's: whether anything came since it was last asked for which a hook waits. */
  readonly arriving: () => boolean;
  /** There is a backlog to decide, or no longer. */
  readonly backlogged: (is: boolean) => void;
  /** Handlers of further kinds of timers, such as those of watches. */
  readonly handlers: Readonly<Record<string, TimerHandler>>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** The running processor. */
export interface EventProcessor {
  /** For ingest: never throws. */
  take(incoming: Incoming): void;
  /** Starts with the journal's undecided entries, the timers and the live sessions. */
  start(): Promise<void>;
  /** Timer rows were set by someone else. */
  wakeTimers(): void;
  /** Limits of accounts that stop sessions now. */
  stoppingLimits(): Promise<readonly StoppingLimit[]>;
  /** Resolves when nothing is in flight or behind. */
  idle(): Promise<void>;
  /** Finishes what is in flight. */
  stop(): Promise<void>;
}

/** Builds it. */
export function createEventProcessor(deps: EventProcessorDeps): EventProcessor {
  const { store, writer, clock, config, log, inspector, agents, raise, home, temporary, files } = deps;
  const timers = createEmitter<void>();
  const wake = (): void => timers.emit();
  const limits = createAccountLimits({
    store,
    deciding: { store, writer, now: clock.now, profiles: deps.profiles },
    agents,
    low: () => config().limits.low,
    goesOn: () => config().resume.on.includes('limit'),
    raise,
    wake,
    log,
  });
  const evidence = createTurnEvidence({ store, clock, agents, home, temporary, files, used: limits.used });
  const runnerDeps = runnerDepsOf(deps, evidence, wake);
  const runner = createPipelineRunner(runnerDeps);
  const liveness = createLivenessMonitor({
    store,
    writer,
    clock,
    inspector,
    agents,
    raise,
    wake,
    evidence: evidence.of,
  });
  const turns = createTurnWatcher({ store, clock, agents, evidence, files, raise, log });
  const letOut = { store, writer, config, home, now: clock.now, profiles: deps.profiles };
  const scheduler = createScheduler({
    store,
    clock,
    log,
    handlers: {
      ...deps.handlers,
      [HOLD]: runner.releaseHeld,
      [REMIND]: reminderHandler(letOut),
      [BATCH]: batchHandler(letOut),
      [STALL]: stallHandler({ store, clock, config, files, raise }),
      [LIVENESS_TIMER]: liveness.check,
      [LIMIT]: limits.check,
    },
  });
  timers.on(() => scheduler.wake());
  writer.onDecided(liveness.decided);
  writer.onDecided(turns.decided);
  writer.onDecided(limits.decided);
  writer.onDecided(({ timers: { set } }) => {
    if (set.length > 0) scheduler.wake();
  });
  return {
    take: runner.take,
    start: async () => {
      await deps.openPrompts.start();
      runner.start();
      await liveness.start();
      await turns.start();
      await limits.start();
      scheduler.start();
    },
    wakeTimers: wake,
    stoppingLimits: limits.stopping,
    idle: async () => {
      await turns.idle();
      await runner.idle();
      await scheduler.idle();
    },
    stop: async () => {
      await scheduler.stop();
      await turns.stop();
      await runner.stop();
      await limits.stop();
    },
  };
}

function runnerDepsOf(
  deps: EventProcessorDeps,
  { judge }: TurnEvidenceReader,
  wakeTimers: () => void,
): Omit<PipelineRunnerDeps, 'late'> {
  const { store, writer, clock, config, profiles, log, home, files, inspector, agents, redactor } = deps;
  const { service, backlog, precedes, giveUp, arriving, backlogged } = deps;
  const knownToService = (agent: string): boolean => agent === SERVICE || agents(agent)?.knownToService === true;
  return {
    store,
    writer,
    clock,
    config,
    profiles,
    log,
    home,
    agents,
    redactor,
    backlog,
    precedes,
    giveUp,
    arriving,
    backlogged,
    judge,
    wakeTimers,
    place: createRepoInfoReader(clock, files),
    context: createEnricher({ config, service, home, files, clock, log, knownToService }),
    client: (agent, origin) => inspector.findClient(origin, agent.processNames),
    promptWindow: deps.promptWindow,
  };
}
