// Ingest, pipeline and a real store in one process on a manual clock: inputs go in, notifications come out.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { agentByName, agents } from '../../src/agents/index.ts';
import { loadConfig } from '../../src/config/load.ts';
import { channelProfiles } from '../../src/daemon/channels/channel-profiles.ts';
import { createOpenPrompts } from '../../src/daemon/sessions/open-prompts.ts';
import { createPipelineRunner } from '../../src/daemon/processing/pipeline-runner.ts';
import type { PipelineRunnerDeps } from '../../src/daemon/processing/pipeline-runner-deps.ts';
import { createWriter, type Writer } from '../../src/decisions/writer.ts';
import { createIngest, type Ingest } from '../../src/ingest/ingest.ts';
import type { Config } from '../../src/model/settings/config.ts';
import type { Delivery } from '../../src/model/delivery/delivery.ts';
import { createRedactor } from '../../src/redaction/index.ts';
import type { Decision, Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import type { Origin } from '../../src/ipc/envelope.ts';
import { type VirtualClock, virtualClock } from './clock.ts';
import { temporaryFolder } from './home.ts';

export interface Fed {
  readonly agent?: string;
  /** `--event`. */
  readonly event?: string;
  readonly id?: string;
  readonly origin?: Partial<Origin>;
}

export interface PipelineHarness {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly writer: Writer;
  readonly ingest: Ingest;
  readonly runner: ReturnType<typeof createPipelineRunner>;
  readonly decisions: Decision[];
  readonly logged: string[];
  /** Names of what ingest put aside. */
  readonly quarantined: string[];
  config: Config;
  /** Hands one hook input over, now. */
  feed(input: Record<string, unknown> | Uint8Array | string, how?: Fed): Promise<void>;
  /** Waits until all that was fed is decided. */
  settle(): Promise<void>;
  /** Deliveries in the order in which they were written. */
  notified(): Promise<readonly Delivery[]>;
  /** "title [urgency]" of each. */
  titles(): Promise<readonly string[]>;
}

/** One catch-all channel unless `toml` says otherwise. */
export const CATCH_ALL = `
[channels.hook]
type = "webhook"
url = "http://127.0.0.1:9/"
allow_private = true
[[routes]]
to = ["hook"]
`;

/** Builds it in a temporary folder; closed when the test has finished. */
export async function pipelineHarness(
  toml: string | null = CATCH_ALL,
  more: Partial<PipelineRunnerDeps> = {},
): Promise<PipelineHarness> {
  const folder = temporaryFolder();
  const clock = virtualClock();
  const store = await openStore(join(folder, 'belfry.db'), { now: clock.now });
  const loaded = await loadConfig(toml);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const decisions: Decision[] = [];
  const logged: string[] = [];
  const quarantined: string[] = [];
  const redactor = createRedactor({ patterns: [] });
  const log = (message: string, fields?: unknown): void =>
    void logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const openPrompts = createOpenPrompts({ marker: join(folder, 'prompt-open'), store, log });
  const writer = createWriter({ store: more.store ?? store, around: openPrompts.around });
  writer.onDecided((decision) => void decisions.push(decision));
  const runner = createPipelineRunner({
    store,
    clock,
    writer,
    profiles: () => channelProfiles(harness.config),
    config: () => harness.config,
    agents: agentByName,
    home: '/home/dev',
    place: async (cwd) => ({ project: cwd.split('/').at(-1) ?? null, branch: null }),
    context: async () => ({ messages: [] }),
    client: async () => null,
    promptWindow: async () => null,
    judge: async (incoming) => ({ incoming }),
    redactor: () => redactor,
    backlog: (limit, known) => ingest.backlog(limit, known),
    precedes: () => false,
    giveUp: (id, why) => ingest.giveUp(id, why),
    wakeTimers: () => undefined,
    arriving: () => ingest.arriving(),
    backlogged: () => undefined,
    log,
    ...more,
  });
  const ingest = createIngest({
    store,
    agents,
    config: () => harness.config,
    quarantine: async (name) => void quarantined.push(name),
    decideNothing: async (entryId) => void (await writer.write(async () => ({ entryId, at: clock.now() }))),
    now: clock.now,
    take: (incoming) => runner.take(incoming),
    log,
    count: () => undefined,
  });
  onTestFinished(async () => {
    await runner.stop();
    await store.close();
  });
  let serial = 0;
  const harness: PipelineHarness = {
    store,
    clock,
    writer,
    ingest,
    runner,
    decisions,
    logged,
    quarantined,
    config: loaded.config,
    feed: async (input, how = {}) => {
      const raw =
        typeof input === 'string' || input instanceof Uint8Array
          ? Buffer.from(input)
          : Buffer.from(JSON.stringify(input));
      const origin: Origin = { pid: 1, ppid: 1, env: {}, ...how.origin };
      serial += 1;
      await ingest.accept(
        {
          id: how.id ?? `envelope-${String(serial).padStart(6, '0')}`,
          ...(how.agent === undefined ? {} : { agent: how.agent }),
          ...(how.event === undefined ? {} : { event: how.event }),
          startedAt: clock.now(),
          receivedAt: clock.now(),
          origin,
          raw,
        },
        'socket',
      );
    },
    settle: async () => {
      await ingest.idle();
      await runner.idle();
    },
    notified: async () => decisions.flatMap((decision) => decision.deliveries),
    titles: async () => (await harness.notified()).map(({ content }) => `${content.title} [${content.urgency}]`),
  };
  return harness;
}
