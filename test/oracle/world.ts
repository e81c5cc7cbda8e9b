// The whole daemon on a clock that stands still: settings, inputs and times go in; what each channel and each waiting hook was given comes out.
// Nothing here knows how it decides, so what it records outlives the parts that decide.
import { NO_FILES } from '../support/no-files.ts';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadInitial } from '../../src/config/live/initial-load.ts';
import { runCommand } from '../../src/daemon/commands/index.ts';
import type { Outside } from '../../src/daemon/assembly/machine.ts';
import { createDaemon, type Daemon } from '../../src/daemon/create-daemon.ts';
import { servedChannels } from '../../src/daemon/channels/last-resort.ts';
import type { ConfiguredChannel } from '../../src/delivery/index.ts';
import type { Origin } from '../../src/ipc/envelope.ts';
import type { InboundAnswer, OpenChannel, OutgoingMessage } from '../../src/model/channel/channel.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import { type Presence, UNKNOWN_PRESENCE } from '../../src/model/presence/presence.ts';
import { resolvePaths } from '../../src/runtime/paths.ts';
import { type VirtualClock, virtualClock } from '../support/clock.ts';
import { removeFolder } from '../support/remove-folder.ts';

/** One thing that a channel was asked, or that a hook which waits was told. */
export interface Told {
  /** Ms after the beginning. */
  readonly at: number;
  /** A channel, or `hook SESSION`. */
  readonly to: string;
  readonly what: string;
  /** What the channel was handed; null: a hook's. */
  readonly message: OutgoingMessage | null;
}

/** A hook's input as it comes, at once. */
export interface Given {
  readonly input: Readonly<Record<string, unknown>>;
  /** Of its agent: `claude` when left away. */
  readonly agent?: string;
  /** `--event`, for clients whose input names none. */
  readonly event?: string;
  /** Of the envelope: the same twice is one submission repeated. */
  readonly id?: string;
  /** When the hook began, Unix ms; now unless given. */
  readonly startedAt?: number;
  readonly origin?: Partial<Origin>;
  /** The hook waits for an answer; named so in what it is told. */
  readonly waits?: string;
}

export interface World {
  readonly clock: VirtualClock;
  /** Of this run of the daemon. */
  readonly daemon: () => Daemon;
  readonly told: readonly Told[];
  readonly logged: readonly string[];
  /** What the person does: looks at the terminal, and when they last touched it, Unix ms. */
  readonly person: { isLooking: boolean; lastInput: number | null };
  /** Channels that fail. */
  readonly down: Set<string>;
  /** Pids of clients that have exited. */
  readonly exited: Set<number>;
  give(given: Given): Promise<void>;
  /** The questions that are open, oldest first, as an answer names them. */
  open(): Promise<readonly { readonly id: string; readonly seen: string }[]>;
  /** A command of the local socket; what goes wrong is recorded. */
  command(op: string, args?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Somebody presses a button of a channel's message, or replies to it. */
  press(channel: string, answer: Pick<InboundAnswer, 'reference' | 'text'>): Promise<void>;
  /** The settings file is another one, and taken over. */
  reload(settings: string): Promise<void>;
  /** Time passes, ms, with everything that is due on the way. */
  pass(ms: number): Promise<void>;
  /** The daemon stops, and another begins so many ms later. */
  restart(after?: number): Promise<void>;
  close(): Promise<void>;
}

/** What the event loop still has to do by itself: a turn, a moment of real time, or a request to the system. Waiting for the clock is none. */
const isWork = (resource: string): boolean => /^(Immediate|Timeout)$|Req/.test(resource);

/** Nothing goes on in this process but what waits for the clock: two turns in which nothing was left to do. */
async function quiet(): Promise<void> {
  for (let still = 0; still < 2; ) {
    await new Promise((resolve) => setImmediate(resolve));
    still = process.getActiveResourcesInfo().some(isWork) ? 0 : still + 1;
  }
}

/** Where files lie that nobody keeps. */
const SCRATCH = '/dev/shm';

/** A home for a world, which removes it. */
export const scratchHome = (): string => mkdtempSync(join(SCRATCH, 'belfry-oracle-'));

export interface Surroundings {
  /** A folder whose files are taken over, as a database of an earlier version. */
  readonly home?: string;
  /** What is not as on the empty machine that days happen on. */
  readonly machine?: (clock: VirtualClock) => Partial<Outside>;
}

/** `settings`: config.toml. `start`: Unix ms. */
export async function world(settings: string, start: number, around: Surroundings = {}): Promise<World> {
  const folder = around.home ?? scratchHome();
  const paths = resolvePaths({ platform: 'linux', env: { BELFRY_HOME: folder }, home: folder, tmp: SCRATCH, uid: 0 });
  for (const path of [paths.run, paths.state, paths.spool]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(paths.config, settings, { mode: 0o600 });
  const clock = virtualClock(start, async () => {
    await ingesting();
    await quiet();
  });
  /** Taking in yields to its source in real time. */
  let ingesting = async (): Promise<void> => undefined;
  const told: Told[] = [];
  const logged: string[] = [];
  const down = new Set<string>();
  const exited = new Set<number>();
  const person: World['person'] = { isLooking: false, lastInput: null };
  const listeners = new Map<string, (answer: InboundAnswer) => Promise<string>>();
  let serial = 0;

  const tell = (to: string, what: string, message: OutgoingMessage | null = null): void =>
    void told.push({ at: clock.now() - start, to, what, message });

  function recording({ name, channel, ...rest }: ConfiguredChannel): ConfiguredChannel {
    const operation = async (message: OutgoingMessage) => {
      if (down.has(name)) return { ok: false, reason: 'server', error: 'answered 503', status: 503 } as const;
      tell(name, message.operation, message);
      return { ok: true, receipt: { id: message.id } } as const;
    };
    const open = (): OpenChannel => ({
      send: operation,
      update: operation,
      retract: operation,
      receive: (on, signal) =>
        new Promise((resolve) => {
          listeners.set(name, on);
          signal.addEventListener('abort', () => resolve(undefined), { once: true });
        }),
      close: async () => undefined,
    });
    const limits = () => ({ concurrency: 1, minIntervalMs: 0, timeoutMs: 10_000 });
    const { account: _, ...type } = channel;
    return { ...rest, name, channel: { ...type, open, limits, check: async () => [] } };
  }

  const presence = (): Presence => {
    if (!person.isLooking) return UNKNOWN_PRESENCE;
    const input = person.lastInput ?? clock.now();
    const known = { away: false, looking: 'yes', idle: 'no', input, idleAfter: 180_000 } as const;
    return { ...known, evidence: 'its pane is in front of you' };
  };
  const outside = {
    channels: async (...given: Parameters<typeof servedChannels>) => {
      const served = await servedChannels(...given);
      return new Map([...served].map(([name, configured]) => [name, recording(configured)]));
    },
    files: NO_FILES,
    inspector: {
      findClient: async ({ ancestors }: Origin) => ancestors?.[0] ?? null,
      findExited: async <T extends { readonly pid: number }>(all: readonly T[]) =>
        all.filter(({ pid }) => exited.has(pid)),
    },
    detect: async () => presence(),
    doNotDisturb: async () => false,
    promptWindow: async () => null,
    random: () => 0.5,
    ...around.machine?.(clock),
  };

  async function begin(): Promise<Daemon> {
    const initial = await loadInitial(paths, false, clock.now());
    const log = (message: string, fields?: unknown): void =>
      void logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
    const own = { paths, initial, clock, env: {}, home: folder, program: join(folder, 'daemon.js'), log };
    const daemon = await createDaemon({ ...own, damaged: () => log('damaged'), outside });
    daemon.spoolOpened(() => false);
    ingesting = daemon.ingest.idle;
    await finished(daemon.start());
    return daemon;
  }

  /** What takes time takes it from the clock. */
  async function finished<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = work.finally(() => {
      isOver = true;
    });
    end.catch(() => undefined);
    await clock.advance(0);
    while (!isOver && clock.nextDue !== null) await clock.advance(clock.nextDue - clock.now());
    return end;
  }

  let daemon = await begin();

  async function settle(): Promise<void> {
    await clock.advance(0);
  }

  async function wait(args: Readonly<Record<string, unknown>>, name: string): Promise<void> {
    const gone = new AbortController();
    const served = daemon.answering.serve(
      args,
      async (reply) => {
        const { data } = reply as { readonly data?: Readonly<Record<string, unknown>> };
        if (data === undefined || 'beat' in data) return;
        tell(`hook ${name}`, 'wait' in data ? 'waits' : JSON.stringify(data));
        if ('stdout' in data || 'reply' in data) gone.abort('taken');
        else if ('left' in data) gone.abort();
      },
      gone.signal,
    );
    served.catch((error: unknown) => tell(`hook ${name}`, `failed: ${String(error)}`));
    await clock.advance(0);
  }

  return {
    clock,
    told,
    logged,
    person,
    down,
    exited,
    daemon: () => daemon,
    give: async ({ input, agent = 'claude', event, id: own, startedAt: at = clock.now(), origin: more, waits }) => {
      const origin: Origin = { pid: 1, ppid: 1, env: {}, ...more };
      if (waits !== undefined) {
        const asking = { pid: origin.pid, ppid: origin.ppid, env: origin.env };
        await wait({ startedAt: at, agent, reply: false, raw: JSON.stringify(input), origin: asking }, waits);
      }
      serial += 1;
      const id = own ?? `envelope-${String(serial).padStart(6, '0')}`;
      const raw = Buffer.from(JSON.stringify(input));
      const named = { id, agent, ...(event !== undefined && { event }) };
      await daemon.ingest.accept({ ...named, startedAt: at, receivedAt: at, origin, raw }, 'socket');
      await settle();
    },
    open: async () => {
      const open = await daemon.store.questions({ states: ['open'] });
      return open.map((question) => ({ id: question.id, seen: seenOf(question) }));
    },
    command: async (op, args = {}) => {
      const context = { ...daemon, startedAt: start, stop: () => undefined };
      const done = await finished(runCommand(op, args, context)).catch((error: unknown) => {
        tell('command', `${op}: ${String(error)}`);
        return null;
      });
      await settle();
      return done;
    },
    press: async (channel, { reference, text }) => {
      const by = { id: 'U1', name: 'dev' };
      const line = await listeners.get(channel)?.({ reference, text, replyTo: null, by, at: clock.now() });
      tell('presser', `${channel}: ${line ?? 'nobody listens'}`);
      await settle();
    },
    reload: async (next) => {
      writeFileSync(paths.config, next);
      await finished(daemon.liveConfig.reload());
      await settle();
    },
    pass: async (ms) => clock.advance(ms),
    restart: async (after = 0) => {
      await finished(daemon.stop(1_000));
      listeners.clear();
      if (after > 0) await clock.advance(after);
      daemon = await begin();
      await settle();
    },
    close: async () => {
      await finished(daemon.stop(1_000));
      await removeFolder(folder);
    },
  };
}

/** As one line each, by time and receiver: what the record holds. What is told of several things in the same millisecond has no order; of one it has. */
export function linesOf(told: readonly Told[]): readonly string[] {
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const about = ({ message, what }: Told): string => message?.content.title ?? what;
  return told.toSorted((a, b) => a.at - b.at || order(a.to, b.to) || order(about(a), about(b))).map(lineOf);
}

function lineOf({ at, to, what, message }: Told): string {
  const when = `${(at / 1_000).toFixed(3).replace(/\.?0+$/, '')} ${to} ${what}`;
  if (message === null) return when;
  const { content, step, resolution, question, acknowledgeWith, showWith } = message;
  const { title, body, urgency, abnormal, count } = content;
  const more = [
    ...(step > 0 ? [`step ${step}`] : []),
    ...(count > 1 ? [`${count} events`] : []),
    ...(abnormal ? ['abnormal'] : []),
    ...(resolution === null ? [] : [`${resolution.state}: ${resolution.why}`]),
    ...(question === null ? [] : [`asks ${question.kind} ${question.buttons.map(({ says }) => says).join('/')}`]),
    ...(acknowledgeWith === null ? [] : ['ack']),
    ...(showWith === null ? [] : ['show']),
  ];
  const text = `${title} | ${body.replaceAll('\n', ' / ')}`.replaceAll(/qst_[\w-]+/g, 'QUESTION'); // made by chance
  return `${when} [${[urgency, ...more].join(', ')}] ${text}`;
}
