// What happens between the way in and the way out: watches, the decisions about events, and agents that wait for an answer.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentByName } from '../../agents/index.ts';
import type { AnsweringService } from '../../answering/index.ts';
import { registries } from '../../config/registries.ts';
import type { Config } from '../../model/config.ts';
import { PROMPT_MARKER } from '../../runtime/daemon-file.ts';
import { WATCH_TIMER } from '../../sources/watch-health.ts';
import type { ActiveWatch } from '../../sources/watch-poll.ts';
import { createWatchScheduler, type WatchScheduler } from '../../sources/watch-scheduler.ts';
import { answeringFor } from '../answering/service.ts';
import { createdSessions } from '../created-sessions.ts';
import { createEventProcessor, type EventProcessor } from '../event-processor.ts';
import { createServiceClients, type ServiceClients } from '../service-clients.ts';
import { save } from '../v8-flags.ts';
import type { Foundation } from './foundation.ts';
import type { Intake } from './intake.ts';
import type { Outgoing } from './outgoing.ts';

export interface Processing {
  readonly service: ServiceClients;
  readonly watchScheduler: WatchScheduler;
  readonly processor: EventProcessor;
  readonly answering: AnsweringService;
}

/** Nothing is decided before the processor hears of inputs. */
export function createProcessing(foundation: Foundation, intake: Intake, outgoing: Outgoing): Processing {
  const { store, clock, config, redactor, bus, home, files, log, paths, env } = foundation;
  const { inspector, promptWindow } = foundation.outside;
  const { ingest, raise } = intake;
  const { deliveries, recovery, answers, clientHooks } = outgoing;
  const service = createServiceClients(config, env, log);
  const watchScheduler = createWatchScheduler({
    ...{ store, clock, log },
    client: async () => service.withRetry(),
    active: () => activeWatches(config()),
    created: () => createdSessions(paths.state),
    accept: (event, occurrence) => ingest.acceptEvent({ event, source: 'watch', occurrence }),
  });
  const processor = createEventProcessor({
    ...{ store, clock, config, redactor, home, files, log, raise, inspector, promptWindow },
    agents: agentByName,
    promptMarker: join(paths.run, PROMPT_MARKER),
    temporary: tmpdir(),
    service: service.noRetry,
    backlog: ingest.backlog,
    giveUp: ingest.giveUp,
    wake: deliveries.wake,
    load: { arriving: ingest.arriving, changed: (load) => save(load === 'high' ? 'time' : 'memory') },
    decided: (decision) => {
      recovery.decided(decision);
      bus.publish({ type: 'decided', decision });
    },
    handlers: { [WATCH_TIMER]: (timer) => watchScheduler.poll(String(timer.data['name'])) },
  });
  // An acknowledgement is decided elsewhere, and may concern a group.
  bus.subscribe((event) => {
    if (event.type === 'decided' && event.decision.timers.set.length > 0) processor.wakeTimers();
  });
  const answering = answeringFor({
    ...{ clock, config, redactor, log, bus, files, inspector, clientHooks, paths, home, env, wake: deliveries.wake },
    store: { ...store, ...answers.store },
    answered: answers.refresh,
    promptOpen: processor.promptOpen,
  });
  answers.handTo(answering.answer);
  intake.onIncoming(answering.observe);
  return { service, watchScheduler, processor, answering };
}

function activeWatches({ watches }: Config): readonly ActiveWatch[] {
  return registries.watches
    .filter(({ name }) => Object.hasOwn(watches, name))
    .map((watch) => ({ watch, settings: watches[watch.name] }));
}
