// Builds the daemon from its settings. To follow one event: sources > ingest > pipeline > (outbox) > delivery > channel.
import { dirname } from 'node:path';
import { applyProxy } from '../config/proxy-setting.ts';
import { openStore } from '../store/open.ts';
import { followConfig } from './assembly/follow-config.ts';
import { createFoundation, type DaemonDeps, type Foundation } from './assembly/foundation.ts';
import { createIntake, type Intake } from './assembly/intake.ts';
import { type DaemonParts, startParts, stopParts } from './assembly/lifecycle.ts';
import { createOutgoing, type Outgoing } from './assembly/outgoing.ts';
import { createProcessing } from './assembly/processing.ts';
import type { CommandContext } from './commands/context.ts';
import { createHttpService, type MountedHttp } from './http/lazy-http-service.ts';

export type { DaemonDeps } from './assembly/foundation.ts';

/** The daemon without its sources: those open last and close first. */
export interface Daemon extends Omit<CommandContext, 'stop' | 'startedAt' | 'http'> {
  readonly http: MountedHttp;
  /** Nothing of any session goes out before: who knows whether something of before the start lies in the spool still. */
  readonly spoolOpened: Outgoing['spoolOpened'];
  /** A source that says what is still on its way. */
  readonly askToo: Intake['askToo'];
  /** Everything that was left undone goes on. */
  start(): Promise<void>;
  /** Finishes what is in flight, within `graceMs`; what is not finished goes on at the next start. */
  stop(graceMs: number): Promise<void>;
}

/** Builds every module and connects them; when that fails, nothing stays open. */
export async function createDaemon(deps: DaemonDeps): Promise<Daemon> {
  const { paths, initial, clock, env, log, damaged } = deps;
  const store = await openStore(paths.database, { log: (message) => log(message), now: clock.now, damaged });
  try {
    await applyProxy(initial.config, env);
    return await assemble(createFoundation(deps, store));
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Each part is given those that it needs. What is built first reaches what is built later as its listener only. */
async function assemble(foundation: Foundation): Promise<Daemon> {
  const { config, env, outside } = foundation;
  const channels = await outside.channels(config(), env);
  const intake = createIntake(foundation);
  const outgoing = createOutgoing(foundation, intake, channels);
  const processing = createProcessing(foundation, intake, outgoing);
  const http = createHttp(foundation, intake);
  const followers = followConfig(foundation, { ...intake, ...outgoing, ...processing, http });
  return runnable(foundation, { ...intake, ...outgoing, ...processing, http, followers });
}

function createHttp({ store, bus, clock, log, paths, program }: Foundation, { ingest, outages }: Intake): MountedHttp {
  return createHttpService({
    store,
    bus,
    clock,
    log,
    state: paths.state,
    database: paths.database,
    run: paths.run,
    dist: dirname(program),
    accept: (envelope) => ingest.accept(envelope, 'http'),
    // The outage that goes on, in words; null: events can be accepted.
    notReady: () => (outages.outage()?.until === null ? 'the journal cannot be written' : null),
  });
}

function runnable(foundation: Foundation, parts: DaemonParts & { readonly http: MountedHttp }): Daemon {
  const { store, deciding, clock, liveConfig, bus, env, home, files, paths, remotes } = foundation;
  const { ingest, deliveries, outages, service, http, answering, processor } = parts;
  let stopUpkeep = async (): Promise<void> => undefined;
  return {
    store,
    deciding,
    clock,
    liveConfig,
    bus,
    env,
    home,
    files,
    remotes,
    ingest,
    deliveries,
    outages,
    service,
    http,
    answering,
    gate: parts.gate,
    wakeTimers: processor.wakeTimers,
    stoppingLimits: processor.stoppingLimits,
    goingOn: parts.goingOn,
    spoolOpened: parts.spoolOpened,
    askToo: parts.askToo,
    file: paths.config,
    run: paths.run,
    folder: dirname(paths.database),
    start: async () => {
      stopUpkeep = await startParts(foundation, parts);
    },
    stop: (graceMs) => stopParts(foundation, parts, () => stopUpkeep(), graceMs),
  };
}
