// `belfry sessions`: the sessions of all agents, waiting ones first, once or as they change.
import { leftOf, limitOf } from '../../../model/agent/limits.ts';
import type { SessionRecord, SessionState } from '../../../model/session/session.ts';
import { clockTime, dayTime } from '../../../model/time/clock-time.ts';
import { lostMachines } from '../../../model/remote-status.ts';
import { HERE } from '../../../model/session/whereabouts.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { compareSessions, effectiveState } from '../../../model/session/effective-state.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { cutGraphemes, oneLine } from '../../../lib/text/text.ts';
import { shortIds, withStore } from '../../reading/with-store.ts';
import { type Cell, type ListColumn, printRows, type Tone } from '../../output/table-output.ts';
import { sessionKeyText } from '../../../model/ids.ts';
import { continuesWords } from '../../../model/session/go-on-plan.ts';
import { readPlansOf } from '../../../store/go-on-plans.ts';
import { type BesideRecord, sessionJson } from '../../../model/row-json.ts';
import { agentFault } from '../../options/agent.ts';
import { ago, parseSince } from '../../options/times.ts';
import { sleep } from '../../../lib/clock.ts';
import { pathFor } from '../../output/path-for.ts';

interface Options {
  readonly agent?: string;
  readonly since?: string;
  readonly all?: true;
  readonly watch?: true;
}

/** Sessions without an event for longer are listed with `--all` only, ms. */
export const RECENT = 12 * 3_600_000;
/** How often `--watch` reads the store, ms. */
const EVERY = 1_000;
/** Longest state: what runs in the background may be any number of commands. */
const LONGEST_STATE = 36;
/** Where an agent runs and by what it is named stay longest. */
const COLUMNS: readonly ListColumn[] = [
  { name: 'AGENT', rank: 0 },
  { name: 'HOST', rank: 7 },
  { name: 'PROJECT', rank: 2 },
  { name: 'BRANCH', rank: 6 },
  { name: 'TITLE', rank: 4, lines: 1 },
  { name: 'STATE', rank: 5 },
  { name: 'STATE', rank: 0, insteadOf: 'STATE' },
  { name: 'SINCE', rank: 3 },
  { name: 'ID', rank: 1 },
];
const TONES: Readonly<Partial<Record<SessionState, Tone>>> = {
  waiting: 'notice',
  failed: 'bad',
  ended: 'dim',
  working: 'good',
};

export const define: Define = (command, io) => {
  command
    .option('--agent <NAME>', 'only this agent')
    .option('--since <TIME>', 'only those active since: how far back (2h), or a date (default: 12h)')
    .option('--all', 'older ones as well')
    .option('--watch', 'keep the list up to date; Ctrl-C ends it')
    .action(async (options: Options) => {
      if (!options.watch) return show(io, await readSessions(options), options);
      return watch(io, options);
    });
};

/** Never resolves: it ends with the process. On a terminal what is shown is written over where it changes; a program gets what is another list. */
async function watch(io: Io, options: Options): Promise<void> {
  if (io.tty) process.stdout.write(CLEAR);
  for (let last = ''; ; ) {
    const listed = await readSessions(options);
    const lines: string[] = [];
    const line = (text: string): void => void lines.push(text);
    await show(
      io.tty ? { ...io, columns: process.stdout.columns || io.columns, line, note: line } : { ...io, line },
      listed,
      options,
    );
    const now = io.tty ? lines.join('\n') : JSON.stringify(listed.map(json));
    if (now !== last && io.tty) process.stdout.write(drawnOver(lines));
    else if (now !== last && !io.json) for (const text of lines) io.line(text);
    else if (now !== last) await show(io, listed, options);
    last = now;
    await sleep(EVERY);
  }
}

/** The whole screen, once: what was on it before a list is shown in its place. */
const CLEAR = '\u001b[H\u001b[2J';

/** From the top, each line up to its end, and nothing below: no moment shows an empty screen. */
const drawnOver = (lines: readonly string[]): string =>
  `\u001b[H${lines.map((text) => `${text}\u001b[K\n`).join('')}\u001b[J`;

interface Listed extends BesideRecord {
  readonly record: SessionRecord;
}

async function readSessions(options: Options): Promise<readonly Listed[]> {
  const now = Date.now();
  const since = options.since === undefined ? (options.all ? 0 : now - RECENT) : parseSince(options.since, now);
  const filter = { since, ...(options.agent === undefined ? {} : { agent: options.agent }) };
  const listed = await withStore(async (store) => {
    const found = (await store.sessions(filter)).map((record) => effectiveState(record, now)).sort(compareSessions);
    const plans = await readPlansOf(store, found);
    return found.map((record) => ({ record, continuesAt: plans.get(sessionKeyText(record)) ?? null }));
  });
  const lost = await lostSince(listed.map(({ record }) => record));
  return listed.map((one) => ({ ...one, unreachableSince: lost.get(one.record.host) ?? null }));
}

/** Machines elsewhere that are not reachable, and since when; the daemon is asked only where one of these sessions is on another machine. */
async function lostSince(records: readonly SessionRecord[]): Promise<ReadonlyMap<string, number>> {
  if (records.every(({ host }) => host === HERE.host)) return new Map();
  const { remoteStatuses } = await import('../remote/list.ts');
  const statuses = await remoteStatuses(resolveOwnPaths()).catch(() => new Map()); // the list is there without it
  return lostMachines([...statuses.values()]);
}

const json = ({ record, ...beside }: Listed): unknown => sessionJson(record, beside);

async function show(io: Io, listed: readonly Listed[], options: Options): Promise<void> {
  if (io.json) return io.data(listed.map(json));
  const now = Date.now();
  const ids = listed.map(({ record }) => record.sessionId);
  const short = io.tty ? await withStore((store) => shortIds(store, ids)) : (id: string) => id;
  const rows = listed.map((one) => sessionRow(one, short, io, now));
  await printRows(io, COLUMNS, rows, rows.length === 0 ? await none(options) : '');
}

/** What to say when there is nothing to list. */
async function none({ agent, since }: Options): Promise<string> {
  const latest = await withStore((store) => store.lastEvents());
  const fault = agent === undefined ? null : agentFault(agent, latest.keys());
  if (fault !== null) return `no session matches: ${fault}`;
  if (agent !== undefined || since !== undefined) return 'no session matches';
  return latest.size === 0 ? 'no sessions yet' : 'no recent sessions; --all lists older ones';
}

function sessionRow(
  { record, continuesAt, unreachableSince }: Listed,
  short: (id: string) => string,
  io: Pick<Io, 'tty'>,
  now: number,
): Cell[] {
  const tone = TONES[record.state] ?? 'plain';
  const limit = limitOf(record);
  const then = continuesAt === null ? limit && leftOf(limit, now) : continuesWords(continuesAt, now);
  const lost = unreachableSince === null ? null : `not reachable since ${dayTime(unreachableSince, now)}`;
  const what = [record.waitingFor, then, lost].filter((part) => part !== null);
  const state = what.length === 0 ? record.state : `${record.state}: ${what.join(', ')}`;
  return [
    record.agent,
    record.host,
    record.project ?? (record.cwd === null ? '' : pathFor(io, record.cwd)),
    record.branch ?? '',
    record.title ?? '',
    { text: io.tty ? cutGraphemes(oneLine(state), LONGEST_STATE) : state, tone },
    { text: record.state, tone },
    io.tty ? ago(record.since, now) : clockTime(record.since),
    { text: io.tty ? short(record.sessionId) : record.sessionId, tone: 'dim' },
  ];
}
