// Builds the daemon from its settings. To follow one event: sources > ingest > pipeline > (outbox) > delivery > channel.
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { agentByName, agents } from '../agents/index.ts';
import type { InvalidConfig, InitialConfig } from '../config/initial-load.ts';
import { watchConfig } from '../config/config-watcher.ts';
import { registries } from '../config/registries.ts';
import { createDeliveryService, startRetention } from '../delivery/index.ts';
import { createIngest } from '../ingest/ingest.ts';
import { quarantineIn } from '../ingest/quarantine.ts';
import type { Clock } from '../lib/clock.ts';
import { createTurns } from '../lib/in-turn.ts';
import type { Event } from '../model/event.ts';
import { createWatchScheduler, WATCH_TIMER } from '../sources/watch-scheduler.ts';
import type { Store } from '../store/contract.ts';
import { openStore } from '../store/open.ts';
import type { Paths } from '../runtime/paths.ts';
import { PROMPT_MARKER } from '../runtime/daemon-file.ts';
import { answerKey } from './answer-key.ts';
import { createChannelRecovery } from './channel-recovery.ts';
import type { CommandContext } from './commands/context.ts';
import { answeringFor } from './answering.ts';
import { createdSessions } from './created-sessions.ts';
import { createEventProcessor } from './event-processor.ts';
import { createInbound } from './inbound.ts';
import { tidyKeptFiles } from './kept-files.ts';
import { servedChannels } from './last-resort.ts';
import type { Log } from './log.ts';
import { createHttpService } from './http/service.ts';
import { createEventBus } from './event-bus.ts';
import { createDirectNotifier } from './direct-notifier.ts';
import { patience } from './patience.ts';
import { createProcessInspector } from './process-inspector.ts';
import { redactorFor } from './redact.ts';
import { createReportedOutages } from './reported-outages.ts';
import { createServiceClients } from './service-clients.ts';
import { settingsBroken } from './settings-broken.ts';

/** What the process hands in. */
export interface DaemonDeps {
  readonly paths: Paths;
  readonly initial: InitialConfig;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly log: Log;
  /** The database was found damaged while in use: the next start sets it aside. */
  readonly damaged: () => void;
}

/** The daemon without its sources: those open last and close first. */
export interface Daemon extends Omit<CommandContext, 'stop' | 'startedAt'> {
  /** Everything that was left undone goes on. */
  start(): Promise<void>;
  /** Finishes what is in flight, within `graceMs`; what is not finished goes on at the next start. */
  stop(graceMs: number): Promise<void>;
}

/** Builds every module and connects them; when that fails, nothing stays open. */
export async function createDaemon(deps: DaemonDeps): Promise<Daemon> {
  const { paths, clock, log, damaged } = deps;
  const store = await openStore(paths.database, { log: (message) => log(message), now: clock.now, damaged });
  try {
    return await assemble(deps, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function assemble({ paths, initial, clock, env, home, log }: DaemonDeps, store: Store): Promise<Daemon> {
  // Awaited first. No await below: the closures may refer to each other.
  const channels = await servedChannels(initial.config, env);
  const bus = createEventBus(log);
  /** The start and a change of the settings follow the same settings: not both at once. */
  const inTurn = createTurns();
  const liveConfig = watchConfig(paths.config, paths.state, initial, {
    // First, so that whatever the new settings route finds its worker.
    prepare: async (next) => deliveries.configure(await servedChannels(next, env)),
    onChange: () => apply(),
    onInvalid: raiseInvalid,
    log,
    now: clock.now,
  });
  const { config } = liveConfig;
  const raise = (event: Event, occurrence: string | null = null): Promise<void> =>
    ingest.acceptEvent({ event, source: 'belfry', occurrence });

  const recovery = createChannelRecovery({
    ...{ store, config, now: clock.now, log },
    wake: (channels) => deliveries.wake(channels),
  });
  const deliveries = createDeliveryService(
    {
      store: { ...store, setHealth: recovery.setHealth },
      clock,
      env,
      platform: process.platform,
      log,
      random: Math.random,
      raise,
      settled: (delivery, attempt) => bus.publish({ type: 'settled', delivery, attempt }),
      inbound: createInbound({
        ...{ store, config, bus, now: clock.now, key: answerKey(paths.state) },
        wake: (names) => deliveries.wake(names),
      }),
    },
    channels,
  );
  const redactor = redactorFor(config);
  const directNotifier = createDirectNotifier({
    store,
    config,
    redactor,
    send: deliveries.sendDirect,
    now: clock.now,
    home,
    log,
  });
  const folder = dirname(paths.database);
  const outages = createReportedOutages({ now: clock.now, log, notifier: directNotifier, folder });

  const ingest = createIngest({
    store: { ...store, append: outages.instrument(store.append) },
    agents,
    config,
    quarantine: quarantineIn(paths.quarantine),
    now: clock.now,
    // Until the start everything waits in the journal, so that what was left undone comes first.
    take: (incoming) => {
      answering.observe(incoming);
      if (started) processor.take(incoming);
    },
    log,
    count: (what, source) => bus.publish({ type: 'taken', what, source }),
  });

  const service = createServiceClients(config, env, log);
  const answering = answeringFor({
    ...{ store, clock, config, redactor, log, bus, wake: deliveries.wake },
    promptOpen: () => processor.promptOpen(),
  });
  const processor = createEventProcessor({
    ...{ store, clock, config, redactor, home },
    agents: agentByName,
    promptMarker: join(paths.run, PROMPT_MARKER),
    inspector: createProcessInspector(process.platform, hostname(), clock.now),
    service: service.noRetry,
    backlog: ingest.backlog,
    giveUp: ingest.giveUp,
    raise,
    wake: deliveries.wake,
    decided: (decision) => {
      recovery.decided(decision);
      bus.publish({ type: 'decided', decision });
    },
    handlers: { [WATCH_TIMER]: (timer) => watchScheduler.poll(String(timer.data['name'])) },
    log,
  });

  const watchScheduler = createWatchScheduler({
    store,
    client: async () => service.withRetry(),
    active: () =>
      registries.watches.flatMap((watch) =>
        Object.hasOwn(config().watches, watch.name) ? [{ watch, settings: config().watches[watch.name] }] : [],
      ),
    created: () => createdSessions(paths.state),
    accept: (event, occurrence) => ingest.acceptEvent({ event, source: 'watch', occurrence }),
    clock,
    log,
  });

  /** What follows new settings; a part that fails does not keep the others from following. */
  async function apply(): Promise<void> {
    const followers = [
      service.refresh,
      watchScheduler.schedule,
      async () => processor.wakeTimers(),
      () => http.configure(config()),
    ];
    for (const refresh of followers)
      await inTurn(refresh).catch((error: unknown) =>
        log('the new settings could not be taken over whole', { error: String(error) }),
      );
  }
  async function raiseInvalid(invalid: InvalidConfig): Promise<void> {
    try {
      await raise(settingsBroken(invalid, liveConfig.origin()));
    } catch (error) {
      log('an event of belfry itself could not be kept', { error: String(error) });
    }
  }

  const http = createHttpService({
    ...{ store, bus, clock, log },
    state: paths.state,
    accept: (envelope) => ingest.accept(envelope, 'http'),
    // The outage that goes on, in words; null: events can be accepted.
    notReady: () => (outages.outage()?.until === null ? 'the journal cannot be written' : null),
  });
  let started = false;
  let stopUpkeep: (() => Promise<void>) | null = null;
  return {
    ...{ store, clock, liveConfig, ingest, deliveries, bus, outages, service, env, http, home, answering },
    wakeTimers: processor.wakeTimers,
    file: paths.config,
    folder,
    start: async () => {
      if (initial.invalid) await raiseInvalid(initial.invalid);
      await inTurn(service.refresh);
      await inTurn(watchScheduler.schedule);
      // In one step with the look into the journal: what comes meanwhile must not overtake what lies there.
      started = true;
      await answering.start();
      await processor.start();
      await inTurn(() => http.configure(config()));
      deliveries.wake();
      await recovery.reconcile();
      stopUpkeep = startRetention({
        ...{ store, clock, log },
        retention: () => config().retention,
        tidyFiles: (rules) => tidyKeptFiles(paths, rules),
      });
    },
    stop: async (graceMs) => {
      const cancel = new AbortController();
      const finished = (async () => {
        await Promise.all([liveConfig.close(), watchScheduler.stop()]);
        await http.stop();
        await answering.stop();
        await ingest.idle();
        await processor.stop();
        await recovery.stop();
        await deliveries.stop(graceMs / 2);
        await directNotifier.stop();
        await stopUpkeep?.();
      })();
      await Promise.race([finished, patience(clock, graceMs, cancel.signal)]);
      cancel.abort();
      await store.close();
    },
  };
}
