// What happens between the way in and the way out: watches, the decisions about events, and agents that wait for an answer.
import { tmpdir } from 'node:os';
import { agentByName } from '../../agents/index.ts';
import type { AnsweringService } from '../../answering/index.ts';
import { registries } from '../../config/registries.ts';
import type { Config } from '../../model/settings/config.ts';
import { WATCH_TIMER } from '../../sources/watch-health.ts';
import type { ActiveWatch } from '../../sources/watch-poll.ts';
import { createWatchScheduler, type WatchScheduler } from '../../sources/watch-scheduler.ts';
import { answeringFor } from '../answering/build-answering.ts';
import { sessionKeyText } from '../../model/ids.ts';
import { saveTime } from '../shared/heap.ts';
import { GO_ON } from '../../model/session/go-on-plan.ts';
import { createGoingOn, type GoingOn } from '../sessions/going-on.ts';
import { createdSessions } from '../sessions/api-created-sessions.ts';
import { createEventProcessor, type EventProcessor } from '../processing/event-processor.ts';
import { createServiceClients, type ServiceClients } from '../service/service-clients.ts';
import type { Foundation } from './foundation.ts';
import type { Intake } from './intake.ts';
import type { Outgoing } from './outgoing.ts';

export interface Processing {
  readonly service: ServiceClients;
  readonly watchScheduler: WatchScheduler;
  readonly processor: EventProcessor;
  readonly answering: AnsweringService;
  readonly goingOn: GoingOn;
}

/** Nothing is decided before the processor hears of inputs. */
export function createProcessing(foundation: Foundation, intake: Intake, outgoing: Outgoing): Processing {
  const { store, writer, deciding, openPrompts, clock, config, redactor, home, files, log, paths, env } = foundation;
  const { inspector, promptWindow } = foundation.outside;
  const { ingest, raise } = intake;
  const { answers, goOn, clientHooks, undecided } = outgoing;
  const service = createServiceClients(config, env, log);
  const watchScheduler = createWatchScheduler({
    store,
    clock,
    log,
    client: async () => service.withRetry(),
    active: () => activeWatches(config()),
    created: () => createdSessions(paths.state),
    accept: (event, occurrence) => ingest.acceptEvent({ event, source: 'watch', occurrence }),
  });
  const processor = createEventProcessor({
    store,
    writer,
    openPrompts,
    clock,
    config,
    redactor,
    home,
    files,
    log,
    raise,
    inspector,
    promptWindow,
    profiles: deciding.profiles,
    agents: agentByName,
    temporary: tmpdir(),
    service: service.noRetry,
    backlog: ingest.backlog,
    precedes: intake.precedes,
    giveUp: ingest.giveUp,
    arriving: ingest.arriving,
    backlogged: saveTime,
    handlers: {
      [WATCH_TIMER]: (timer) => watchScheduler.poll(String(timer.data['name'])),
      [GO_ON]: (timer) => goingOn.check(timer),
    },
  });
  const answering = answeringFor({
    deciding,
    clock,
    config,
    redactor,
    log,
    files,
    inspector,
    clientHooks,
    paths,
    home,
    env,
    store: { ...store, ...answers.store },
    answered: answers.refresh,
    promptOpen: openPrompts.hold,
  });
  answers.handTo(answering.answer);
  intake.onIncoming(answering.observe);
  const goingOn = createGoingOn({
    store,
    clock,
    answering,
    raise,
    log,
    random: Math.random,
    isBehind: (session) => store.isBehind(session, undecided(), clock.now()),
    settings: () => config().resume,
    changed: async (stopped, offers) => {
      const notifications = await goOn.changedBy(stopped);
      if (offers) for (const id of notifications) answers.refresh(id);
      const shown = notifications.map((id) => ({ type: 'notification', id }) as const);
      await store.touch([{ type: 'session', id: sessionKeyText(stopped.record) }, ...shown]);
    },
    wake: processor.wakeTimers,
  });
  goOn.handTo(goingOn);
  writer.onDecided(goingOn.decided);
  return { service, watchScheduler, processor, answering, goingOn };
}

function activeWatches({ watches }: Config): readonly ActiveWatch[] {
  return registries.watches
    .filter(({ name }) => Object.hasOwn(watches, name))
    .map((watch) => ({ watch, settings: watches[watch.name] }));
}
