// What the pipeline runner needs of the daemon.
import type { ContextRequest } from '../enrichment/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Agent } from '../model/agent.ts';
import type { Config } from '../model/config.ts';
import type { Incoming } from '../model/incoming.ts';
import type { Context } from '../model/notification.ts';
import type { ClientProcess } from '../model/session.ts';
import type { Facts } from '../pipeline/index.ts';
import type { PromptWindow } from '../presence/index.ts';
import type { Decision, Store } from '../store/contract.ts';
import type { Redactor } from '../redaction/index.ts';
import type { Origin } from '../ipc/envelope.ts';
import type { Load } from './keyed-queue.ts';
import type { OpenPrompts } from './open-prompts.ts';

/** What the runner needs; passed in by the daemon. */
export interface PipelineRunnerDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** The settings in force, asked for each event, so that a changed file takes effect. */
  readonly config: () => Config;
  readonly agents: (name: string) => Agent | undefined;
  /** The user's home, for `~` in routes. */
  readonly home: string;
  /** Git or folder name and branch of a working folder; never throws. */
  readonly place: (cwd: string) => Promise<Facts['place']>;
  /** Enrichment beyond the input; keeps its own deadline; never throws. */
  readonly context: (request: ContextRequest) => Promise<Context>;
  /** The client's process among a hook's ancestors, when it is alive on this machine or was when the hook ran. */
  readonly client: (agent: Agent, origin: Origin) => Promise<ClientProcess | null>;
  /** The window in which a prompt was given to this process, where its terminal does not name it; never rejects. */
  readonly promptWindow: PromptWindow;
  /** An input as it is to be decided, after what other evidence tells before it. */
  readonly judge: (incoming: Incoming) => Promise<readonly Incoming[]>;
  /** Of the patterns in force. */
  readonly redactor: () => Redactor;
  /** Undecided journal entries, parsed, in order of `startedAt`; ingest's. */
  readonly backlog: (limit: number) => Promise<readonly Incoming[]>;
  /** Ingest's: sets aside an entry that cannot be decided. */
  readonly giveUp: (entryId: string, why: string) => Promise<void>;
  /** Keeps the marker of open prompts. */
  readonly openPrompts: Pick<OpenPrompts, 'around'>;
  /** Deliveries are waiting for these channels. */
  readonly wake: (channels: readonly string[]) => void;
  /** A decision was written: for followers, timers and the liveness monitor. */
  readonly decided: (decision: Decision) => void;
  readonly load: Load;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}
