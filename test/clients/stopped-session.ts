// A real client's session that its service stops in the second turn, and what Belfry says of it.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, Kind } from '../../src/model/event/event.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { pathsBelow } from '../support/home.ts';
import { until } from '../support/wait.ts';
import type { AskedClient, AskedWorld } from './asked-clients.ts';
import { joinedWorld } from './joined-world.ts';
import type { Failure } from './model/failures.ts';
import type { ScenarioClient } from './real/client.ts';
import { isIdle, type Terminal } from './terminal.ts';

/** Clients try for a while before they give up, ms. */
const LIMIT = 300_000;

/** A client, and how its service answers it. */
export interface Answered {
  readonly client: string;
  readonly answer: string;
  readonly world: AskedClient['world'];
  readonly failure: Failure;
  readonly always?: true;
}

/** The rows that are tried: all of them in the whole form; in the short one those marked `always`, which leave out no client. */
export const tried = <R extends { readonly always?: true }>(rows: readonly R[]): readonly R[] =>
  process.env['BELFRY_TORTURE'] === 'whole' ? rows : rows.filter(({ always }) => always);

/** A row of `belfry continue --list --json`. */
export interface StoppedRow {
  readonly agent: string;
  readonly cause: string;
  readonly limit: string | null;
  readonly resets_at: string | null;
  readonly next: string;
  readonly next_at: string | null;
}

/** What `belfry sessions --json` and `belfry status --json` say of a limit. */
export interface ToldLimit {
  readonly name?: string;
  readonly limit?: string;
  readonly resets_at: string | null;
  readonly goes_on?: boolean;
}

/** What `belfry continue` says where only the terminal takes an instruction. */
export const TERMINAL = {
  code: 5,
  stdout: 'project: nothing was sent: only its terminal takes an instruction; type it there\n',
};

const told = async (w: AskedWorld, ...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await w.belfry(...args, '--json')).stdout);

/** The sessions that have stopped. */
export async function stoppedIn(w: AskedWorld): Promise<readonly StoppedRow[]> {
  return ((await told(w, 'continue', '--list')) as { stopped: readonly StoppedRow[] }).stopped;
}

interface Session {
  readonly session_id: string;
  readonly state: string;
  readonly limit: ToldLimit | null;
}

/** The client's session, the only one beside the one that a world asks with first, as `belfry sessions` shows it. */
export async function sessionIn(w: AskedWorld): Promise<Session> {
  const sessions = (await told(w, 'sessions')) as readonly Session[];
  const session = sessions.find(({ session_id }) => session_id !== 'first');
  if (session === undefined) throw new Error('no session is known');
  return session;
}

/** The limits that `belfry status` shows. */
export async function limitsIn(w: AskedWorld): Promise<readonly ToldLimit[]> {
  return ((await told(w, 'status')) as { limits: readonly ToldLimit[] }).limits;
}

/** The events so far of this kind and detail; a look that starts no program. */
export async function eventsIn(w: AskedWorld, kind: Kind, detail: string | null): Promise<readonly Event[]> {
  return (await eventsOf(w, [kind])).filter((event) => event.detail === detail);
}

/** What was told so far of failures and limits: kind and detail of each. */
export async function failuresIn(w: AskedWorld): Promise<readonly string[]> {
  return (await eventsOf(w, ['session.failed', 'limit.reached', 'limit.reset'])).map(
    ({ kind, detail }) => `${kind}: ${detail}`,
  );
}

async function eventsOf(w: AskedWorld, kinds: readonly Kind[]): Promise<readonly Event[]> {
  const store = await openReader(pathsBelow(w.home).database, 'all');
  try {
    return (await store.events({ kinds })).map(({ event }) => event);
  } finally {
    await store.close();
  }
}

/** Settings that let its sessions go on by themselves after whatever stops them. */
export async function letGoOn(w: AskedWorld): Promise<void> {
  appendFileSync(join(w.home, 'config.toml'), '[resume]\non = ["limit", "overloaded", "network"]\n');
  await w.daemon.stop();
  w.daemon = await w.startDaemon();
}

/** A session that has finished one turn; the service fails in the next one. */
export async function openAndFail(w: AskedWorld, failure: () => Failure): Promise<Terminal> {
  const terminal = await w.open();
  await w.prompt(terminal, 'say hello');
  await w.asked('text');
  w.model.failure = failure();
  await w.prompt(terminal, 'say it again');
  return terminal;
}

/** Waits until the model has answered these words, the turn has finished, and the client takes the next prompt. */
export async function answered(w: AskedWorld, terminal: Terminal, words: string): Promise<void> {
  const reads = (): boolean => w.model.prompts.some((prompt) => prompt.includes(words));
  await until(reads, `the model to read "${words}"`, LIMIT);
  await until(async () => (await sessionIn(w)).state === 'finished', 'the turn to finish', LIMIT);
  await terminal.rests(isIdle);
}

/** The same as `openAndFail`, for clients that ask for no next instruction. */
export async function finishAndFail(w: AskedWorld, failure: Failure): Promise<Terminal> {
  const terminal = await w.open();
  await w.prompt(terminal, 'say hello');
  await answered(w, terminal, 'say hello');
  w.model.failure = failure;
  await w.prompt(terminal, 'say it again');
  return terminal;
}

/** A world in which a client has our hooks and nothing else. */
export const hooksAlone = (client: ScenarioClient): Promise<AskedWorld | null> =>
  joinedWorld(client, { choose: () => null, install: [], start: (name) => [name] });

/** The row of the only session that has stopped, once it comes next as `next` says. */
export function stoppedAs(w: AskedWorld, next: string): Promise<StoppedRow> {
  return until(async () => (await stoppedIn(w)).find((row) => row.next === next), `a session: ${next}`, LIMIT);
}
