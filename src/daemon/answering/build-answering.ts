// Answering from elsewhere as the daemon builds it: with its store, its settings and its look at processes.
import { agentByName } from '../../agents/index.ts';
import { type AnsweringService, createAnswering } from '../../answering/index.ts';
import { acknowledge } from '../../decisions/acknowledge.ts';
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import type { Files } from '../../files/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Redactor } from '../../redaction/index.ts';
import type { Paths } from '../../runtime/paths.ts';
import type { Store } from '../../store/contract.ts';
import type { ClientHooks } from './client-hooks.ts';
import { joiningFor } from './joining.ts';
import type { Log } from '../shared/log.ts';
import type { ProcessInspector } from '../sessions/process-inspector.ts';

/** The daemon's one. */
export function answeringFor(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly redactor: () => Redactor;
  readonly log: Log;
  readonly clientHooks: ClientHooks;
  readonly promptOpen: () => () => void;
  readonly deciding: DecidingDeps;
  readonly files: Files;
  readonly inspector: ProcessInspector;
  readonly paths: Paths;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The question behind a notification was answered that somebody had acknowledged before. */
  readonly answered: (notificationId: string) => void;
}): AnsweringService {
  const { inspector, clientHooks } = deps;
  const answering = createAnswering({
    ...deps,
    ...joiningFor({ home: deps.home, env: deps.env, platform: process.platform }, deps.log),
    agents: agentByName,
    client: (agent, origin) => inspector.findClient(origin, agent.processNames),
    exited: inspector.findExited,
    acknowledge: async (id, by) => {
      const done = await acknowledge(id, { ...by, answered: true }, deps.deciding);
      if (done?.result === 'already') deps.answered(id);
    },
    redact: (text) => deps.redactor().text(text),
  });
  return {
    ...answering,
    serve: async (args, reply, gone, far) => {
      // The terminal of a client elsewhere is none of those that channels write to.
      const isServed = far === undefined && (await clientHooks.serve(args, reply, gone));
      if (!isServed) await answering.serve(args, reply, gone, far);
    },
  };
}
