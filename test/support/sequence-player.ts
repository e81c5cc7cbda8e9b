// Plays a sequence in virtual time: ingest, pipeline, store, timers and liveness are the real ones; processes and files are the sequence's.
import { channelProfiles } from '../../src/daemon/channels/channel-profiles.ts';
import { createOpenPrompts } from '../../src/daemon/sessions/open-prompts.ts';
import { writerOf } from './deciding.ts';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentByName, agents } from '../../src/agents/index.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type LookThere, withFarFiles } from '../../src/daemon/shared/far-files.ts';
import { LONGEST_LOOK } from '../../src/sources/remote/protocol.ts';
import { createEventProcessor, type EventProcessor } from '../../src/daemon/processing/event-processor.ts';
import { createProcessInspector, type ProcessInspector } from '../../src/daemon/sessions/process-inspector.ts';
import { createIngest, type Ingest } from '../../src/ingest/ingest.ts';
import type { Config } from '../../src/model/settings/config.ts';
import { type LeasedDelivery, NO_RETRIES } from '../../src/model/delivery/delivery.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import type { ClientProcess } from '../../src/model/session/session.ts';
import { createRedactor } from '../../src/redaction/index.ts';
import type { Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { type VirtualClock, virtualClock } from './clock.ts';
import { realFiles } from './files.ts';
import { NO_FILES } from './no-files.ts';
import { temporaryFolder } from './home.ts';
import type { Origin } from '../../src/ipc/envelope.ts';
import type { Arrival, InputStep, Sequence, Step } from './sequence.ts';
import { type Ended, settleOne } from './store-writes.ts';
import { nextTimer } from './timers.ts';

/** What people see without settings: everything that is not low. */
const PEOPLE = `
[channels.people]
type = "webhook"
url = "http://127.0.0.1:9/"
allow_private = true
[[routes]]
match = { urgency = ["normal", "urgent"] }
to = ["people"]
`;
const LEASE_MS = 60_000;
/** Turns of the event loop that are granted to I/O before something counts as stuck. */
const MOST_TURNS = 2_000;

interface Running {
  readonly store: Store;
  readonly ingest: Ingest;
  readonly processor: EventProcessor;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Everything that arrived until `sequence.until`, oldest first. `remote`: it happens on a machine elsewhere that is called so. */
export async function play(sequence: Sequence, remote?: string): Promise<readonly Arrival[]> {
  const home = temporaryFolder('belfry-sequence-');
  const clock = virtualClock();
  const began = clock.now();
  const loaded = await loadConfig(sequence.settings ?? PEOPLE);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const config: Config = loaded.config;
  const arrivals: Arrival[] = [];
  const logged: string[] = [];
  const exited = new Set<string>();
  const inspector = inspectorOf(sequence, exited);
  const files = remote === undefined ? realFiles() : withFarFiles(NO_FILES, lookThere(home, clock), clock);
  const own = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('/home/dev', home)) as T;

  async function start(): Promise<Running> {
    const store = await openStore(join(home, 'belfry.db'), { now: clock.now });
    await store.reclaimLeases({ now: clock.now() });
    const redactor = createRedactor({ patterns: [] });
    const log = (message: string, fields?: unknown): void =>
      void logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
    const writer = writerOf(store);
    const openPrompts = createOpenPrompts({ marker: join(home, 'prompt-open'), store, log });
    const running: Running = {
      store,
      ingest: createIngest({
        store,
        agents,
        config: () => config,
        quarantine: async (name) => void logged.push(`quarantined ${name}`),
        decideNothing: async (entryId) => void (await writer.write(async () => ({ entryId, at: clock.now() }))),
        now: clock.now,
        take: (incoming) => running.processor.take(incoming),
        log,
        count: () => undefined,
      }),
      processor: createEventProcessor({
        store,
        writer,
        openPrompts,
        clock,
        home,
        files,
        inspector,
        log,
        profiles: () => channelProfiles(config),
        temporary: join(home, 'tmp'),
        promptWindow: async () => null,
        config: () => config,
        redactor: () => redactor,
        agents: agentByName,
        service: () => null,
        backlog: (limit, known) => running.ingest.backlog(limit, known),
        precedes: () => false,
        raise: (event, occurrence) => running.ingest.acceptEvent({ event, source: 'belfry', occurrence }),
        giveUp: (id, why) => running.ingest.giveUp(id, why),
        arriving: () => running.ingest.arriving(),
        backlogged: () => undefined,
        handlers: {},
      }),
    };
    await running.processor.start();
    return running;
  }

  let running = await start();

  /** All that is due now has been handled. */
  async function settle(): Promise<void> {
    for (let i = 0; i < MOST_TURNS; i++) {
      await running.ingest.idle();
      await running.processor.idle();
      await clock.advance(0);
      const next = await nextTimer(running.store);
      if (next === null || next > clock.now()) break;
      await turn();
    }
    await running.ingest.idle();
    await running.processor.idle();
    await deliver();
  }

  /** A receiver that takes everything at once. */
  async function deliver(): Promise<void> {
    const { store } = running;
    for (const { name: channel } of config.channels)
      for (;;) {
        const now = clock.now();
        const leased = await store.claim(channel, { limit: 10, leaseMs: LEASE_MS, now });
        if (leased.length === 0) break;
        for (const delivery of leased) {
          arrivals.push(arrivalOf(delivery, (now - began) / 1_000));
          await settleOne(store, delivery.id, delivery.token, taken(delivery, now));
        }
      }
  }

  async function advanceTo(seconds: number): Promise<void> {
    const end = began + Math.round(seconds * 1_000);
    for (;;) {
      await settle();
      const dues = await Promise.all(config.channels.map(({ name }) => running.store.nextDue(name)));
      const times = [await nextTimer(running.store), clock.nextDue, ...dues].filter((at) => at !== null);
      const next = Math.min(end, ...times.filter((at) => at > clock.now()));
      if (clock.now() >= end) return;
      await clock.advance(next - clock.now());
    }
  }

  let serial = 0;
  async function take(step: Step): Promise<void> {
    if ('exit' in step) return void exited.add(step.exit);
    if ('remove' in step) return rmSync(own(step.remove));
    if ('append' in step) {
      const written = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
      const path = own(step.append).replace('WRITTEN_AT', written);
      mkdirSync(dirname(path), { recursive: true });
      const lines = own(step.lines.map((line) => `${JSON.stringify(line)}\n`)).join('');
      const stamped = lines.replaceAll(/AT_SECOND ([\d.]+)/g, (_, second) =>
        new Date(began + Number(second) * 1_000).toISOString(),
      );
      return appendFileSync(path, stamped);
    }
    if ('restart' in step) {
      await running.processor.stop();
      await running.store.close();
      await clock.advance(step.restart * 1_000);
      running = await start();
      return;
    }
    const raw = Buffer.from(JSON.stringify(own(step.input)));
    serial += 1;
    const startedAt = began + Math.round((step.began ?? step.at) * 1_000);
    const name = step.process ?? 'client';
    const process = sequence.processes[name];
    const seen = process !== undefined && !exited.has(name) ? { seen: true as const } : {};
    await running.ingest.accept(
      {
        id: step.id ?? `envelope-${String(serial).padStart(6, '0')}`,
        agent: step.agent ?? sequence.client,
        ...(step.event === undefined ? {} : { event: step.event }),
        startedAt,
        receivedAt: startedAt,
        origin: {
          pid: 1,
          ppid: 1,
          env: {},
          ...(process === undefined ? {} : { ...ancestry(process, step), ...seen }),
          ...(remote !== undefined && { host: remote, remote }),
        },
        raw,
      },
      remote === undefined ? 'socket' : 'remote',
    );
  }

  try {
    for (const step of sequence.steps) {
      await advanceTo(step.at);
      await take(step);
    }
    await advanceTo(sequence.until);
    const faults = logged.filter((line) => !line.startsWith('the service'));
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return arrivals;
  } finally {
    await running.processor.stop();
    await running.store.close();
  }
}

/** As look-far.sh does it for the relay. */
function lookThere(home: string, { now }: Pick<VirtualClock, 'now'>): LookThere {
  return async (_remote, named, most) => {
    const path = named.replace(/^~/, home);
    if (!path.startsWith(`${home}/`) || !existsSync(path)) return null;
    const bytes = readFileSync(path);
    const end = bytes.subarray(Math.max(0, bytes.length - Math.min(most, LONGEST_LOOK)));
    return {
      size: bytes.length,
      modified: statSync(path).mtimeMs,
      now: now(),
      end: most === 0 ? Buffer.alloc(0) : end,
    };
  };
}

const SHELL = { pid: 3_000, start: '1', name: 'bash' };

/** A hook's ancestors and terminal, as the daemon finds them. */
function ancestry(process: ClientProcess, { from }: InputStep): Pick<Origin, 'ancestors' | 'tty'> {
  if (from === undefined || from === 'closed') return { ancestors: [process] };
  return { ancestors: from === 'orphan' ? [process] : [process, SHELL], tty: '/dev/pts/7' };
}

/** Answers from the sequence: which clients there are, and which have exited. */
function inspectorOf(sequence: Sequence, exited: ReadonlySet<string>): ProcessInspector {
  const nameOf = (process: ClientProcess): string | undefined =>
    Object.entries(sequence.processes).find(
      ([, { pid, start }]) => pid === process.pid && start === process.start,
    )?.[0];
  return {
    findClient: createProcessInspector('linux', HERE.host, Date.now).findClient,
    findExited: async (processes) => processes.filter((process) => exited.has(nameOf(process) ?? '')),
  };
}

/** It took it. */
function taken({ id, attempts }: LeasedDelivery, at: number): Ended {
  const nothing = { reason: null, error: null, answer: null };
  const attempt = { deliveryId: id, number: attempts + 1, at, ms: 0, ok: true, status: 200, next: 'sent', ...nothing };
  const last = { lastReason: null, lastError: null, counters: NO_RETRIES };
  return { attempt, state: 'sent', due: at, ...last, receipt: id };
}

function arrivalOf(delivery: LeasedDelivery, at: number): Arrival {
  const { channel, operation, content } = delivery;
  const { title, body, urgency, abnormal, event } = content;
  return { at, channel, operation, kind: event.kind, detail: event.detail, title, body, urgency, abnormal };
}
