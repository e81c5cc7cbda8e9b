// Answering from elsewhere as the daemon builds it: with its store, its settings and its look at processes.
import { agentByName } from '../../agents/index.ts';
import { type AnsweringService, type ClientTerminals, createAnswering } from '../../answering/index.ts';
import { asObject } from '../../lib/json.ts';
import type { Files } from '../../files/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../model/config.ts';
import type { Redactor } from '../../redaction/index.ts';
import type { Paths } from '../../runtime/paths.ts';
import type { Store } from '../../store/contract.ts';
import { type AcknowledgeDeps, acknowledgeNow } from '../acknowledge.ts';
import { joiningFor } from './joining.ts';
import type { Log } from '../log.ts';
import type { ProcessInspector } from '../process-inspector.ts';

/** The daemon's one. */
export function answeringFor(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly redactor: () => Redactor;
  readonly log: Log;
  readonly terminals: ClientTerminals;
  readonly promptOpen: () => () => void;
  readonly wake: AcknowledgeDeps['wake'];
  readonly bus: AcknowledgeDeps['bus'];
  readonly files: Files;
  readonly inspector: ProcessInspector;
  readonly paths: Paths;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The question behind a notification was answered that somebody had acknowledged before. */
  readonly answered: (notificationId: string) => void;
}): AnsweringService {
  const { inspector } = deps;
  return createAnswering({
    ...deps,
    ...joiningFor({ home: deps.home, env: deps.env, platform: process.platform }, deps.log),
    agents: agentByName,
    isWanted: () => deps.config().channels.some(({ settings }) => asObject(settings)['by_client'] === true),
    client: (agent, origin) => inspector.findClient(origin, agent.processNames),
    exited: inspector.findExited,
    acknowledge: async (id, by) => {
      const done = await acknowledgeNow(id, { ...by, answered: true }, { ...deps, now: deps.clock.now });
      if (done?.result === 'already') deps.answered(id);
    },
    redact: (text) => deps.redactor().text(text),
  });
}
