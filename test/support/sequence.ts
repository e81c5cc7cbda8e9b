// The form of a sequence: what a client and its machine did, with times, and what has to arrive, with earliest and latest times.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientProcess } from '../../src/model/session/session.ts';

/** Seconds from the sequence's beginning, when the step happens (an input: when it reaches the daemon). */
interface At {
  readonly at: number;
}

/** A hook ran. Paths below /home/dev become paths of a temporary home. */
export interface InputStep extends At {
  readonly input: Readonly<Record<string, unknown>>;
  /** `--event`, for clients whose input names none. */
  readonly event?: string;
  /** Another client than the sequence's. */
  readonly agent?: string;
  /** When the hook began, where that was earlier: an input that comes late. */
  readonly began?: number;
  /** Of the envelope: the same id twice is one submission repeated. */
  readonly id?: string;
  /** The process in whose tree it ran; `client` unless given. */
  readonly process?: string;
  /** What the daemon sees of where it ran: on the terminal of the shell that started its client, or after that shell, or the terminal, was gone. */
  readonly from?: 'terminal' | 'orphan' | 'closed';
  /** The recording lacked this input; it was made again from the event that it became. */
  readonly rebuilt?: boolean;
}

export type Step =
  | InputStep
  /** A process exits. */
  | (At & { readonly exit: string })
  /**
   * A file grows by these records, one JSON text a line. `rebuilt`: they were captured in another run of the same version. /home/dev/tmp is
   * the folder for temporary files, WRITTEN_AT in a name the time as clients write it there, "AT_SECOND 2.5" in a
   * record the time of that second.
   */
  | (At & { readonly append: string; readonly lines: readonly unknown[]; readonly rebuilt?: boolean })
  /** A file is removed. */
  | (At & { readonly remove: string })
  /** The daemon stops, and starts again on the same files so many seconds later. */
  | (At & { readonly restart: number });

/** One thing that has to arrive, or with `optional` may. */
export interface Expected {
  /**
   * permission, question, idle, finished, abnormal (an abnormal end, or a client that is gone), failed:CAUSE, else KIND or KIND:DETAIL.
   * `update:WHAT` and `retract:WHAT` are changes of what was sent.
   */
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly channel?: string;
  readonly optional?: boolean;
  /** What title and body have to contain. */
  readonly says?: string;
}

export interface Sequence {
  readonly name: string;
  readonly client: string;
  /** TOML; a channel `people` for all that is not low unless given. */
  readonly settings?: string;
  readonly processes: Readonly<Record<string, ClientProcess>>;
  readonly steps: readonly Step[];
  readonly expected: readonly Expected[];
  /** How long to look, in seconds. */
  readonly until: number;
}

/** What a receiver got. `at`: seconds. */
export interface Arrival {
  readonly at: number;
  readonly channel: string;
  readonly operation: string;
  readonly kind: string;
  readonly detail: string | null;
  readonly title: string;
  readonly body: string;
  readonly urgency: string;
  readonly abnormal: boolean;
}

/** How the expectations call an arrival. */
export function whatOf({ operation, kind, detail, abnormal }: Arrival): string {
  const what =
    kind === 'agent.waiting'
      ? (detail ?? 'waiting')
      : kind === 'agent.finished'
        ? 'finished'
        : abnormal && (kind === 'session.ended' || detail === 'vanished')
          ? 'abnormal'
          : kind === 'session.failed'
            ? `failed:${detail ?? 'unknown'}`
            : detail === null
              ? kind
              : `${kind}:${detail}`;
  return operation === 'send' ? what : `${operation}:${what}`;
}

/** Every way in which what arrived differs from what was expected; empty: it is right. */
export function differences(sequence: Sequence, arrivals: readonly Arrival[]): readonly string[] {
  const left = [...arrivals];
  const missing = sequence.expected.flatMap(({ what, from, to, channel, optional, says = '' }) => {
    const at = left.findIndex(
      (arrival) =>
        whatOf(arrival) === what &&
        arrival.at >= from &&
        arrival.at <= to &&
        (channel === undefined || arrival.channel === channel) &&
        `${arrival.title}\n${arrival.body}`.includes(says),
    );
    if (at >= 0) left.splice(at, 1);
    return at >= 0 || optional ? [] : [`missing: ${what} between ${from} and ${to} s`];
  });
  return [...missing, ...left.map((arrival) => `too much: ${whatOf(arrival)} at ${arrival.at} s, "${arrival.title}"`)];
}

/** Seconds in which people are notified, by what happened last: a hook, a file that is looked at each second, a process that is gone. */
const WITHIN = { input: 0.25, append: 1, exit: 15, restart: 15 } as const;
/** Seconds that a permission waits on purpose, as the client may yet decide by itself. */
const DECIDES: Readonly<Record<string, number>> = { codex: 1.5, copilot: 1.5 };

/** Every arrival that came later than it had to, with nothing that is waited for on purpose. */
export function delays(sequence: Sequence, arrivals: readonly Arrival[]): readonly string[] {
  return arrivals.flatMap((arrival) => {
    const last = sequence.steps.findLast(({ at }) => at <= arrival.at);
    if (last === undefined) return [`${whatOf(arrival)} at ${arrival.at} s, before anything happened`];
    const cause = 'input' in last ? 'input' : 'append' in last ? 'append' : 'exit' in last ? 'exit' : 'restart';
    const waits = whatOf(arrival) === 'permission' ? (DECIDES[sequence.client] ?? 0) : 0;
    const late = arrival.at - last.at;
    return late <= WITHIN[cause] + waits ? [] : [`${whatOf(arrival)} ${late.toFixed(3)} s after its ${cause}`];
  });
}

const FOLDER = new URL('../fixtures/sequences/', import.meta.url).pathname;
/** Longer than any client is looked after, once nothing happens any more. */
const AFTERWARDS = 60;

/** A recorded scenario, as test/fixtures/sequences has it. */
interface Recorded {
  readonly client: string;
  /** The client's process, as its hooks' ancestors show it. */
  readonly process: string;
  readonly expected: readonly Expected[];
  readonly steps: readonly Step[];
  /** Set where nothing at hand can tell: what arrives instead, and why. */
  readonly limit?: { readonly arrives: readonly Expected[]; readonly why: string };
}

export interface RecordedSequence extends Sequence {
  readonly scenario: string;
  readonly version: string;
  readonly limit: Recorded['limit'];
}

/** All recorded sequences. */
export function recordedSequences(): readonly RecordedSequence[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => {
      const read = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recorded & {
        readonly scenario: string;
        readonly version: string;
      };
      const { process: name, ...recorded } = read;
      return {
        ...recorded,
        name: file.replace(/\.json$/, ''),
        limit: recorded.limit,
        processes: { client: { pid: 4_000, start: '1', name } },
        until: Math.max(...recorded.steps.map(({ at }) => at)) + AFTERWARDS,
      };
    });
}
