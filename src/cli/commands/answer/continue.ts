// `belfry continue`: the sessions that a limit, a server error or a network error stopped go on, now or as their limit resets.
import type { ContinuedRow, StoppedRow } from '../../../daemon/commands/continue.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { limitKeyOf, limitWords } from '../../../model/agent/limits.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { keyOfPath, pathKeyOf, sessionKeyText } from '../../../model/ids.ts';
import { sessionName } from '../../../model/session/session.ts';
import { stopCauseWords } from '../../../model/session/stop-causes.ts';
import { keptWords, wentOnWords } from '../../../model/session/went-on-words.ts';
import { clockTime, dayTime } from '../../../model/time/clock-time.ts';
import type { StoreReader } from '../../../store/contract.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';
import { ask } from '../../daemon/rpc.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Io } from '../../io.ts';
import { ago } from '../../options/times.ts';
import { type ListColumn, printRows } from '../../output/table-output.ts';
import { eventOf, identified, shortIds, withStore } from '../../reading/with-store.ts';
import { idOf } from '../../reading/pending-numbers.ts';
import { refuseAgents } from './refuse-agents.ts';

interface Flags {
  readonly at?: string;
  readonly list?: true;
  /** `--not-now`; commander gives true where it is left away. */
  readonly notNow?: true;
}

/** Each session is watched for some seconds, one after the other, ms. */
const PATIENCE = 600_000;

const COLUMNS: readonly ListColumn[] = [
  { name: 'AGENT', rank: 3 },
  { name: 'SESSION', rank: 0 },
  { name: 'STOPPED BY', rank: 2 },
  { name: 'SINCE', rank: 4 },
  { name: 'NEXT', rank: 0 },
  { name: 'ID', rank: 1 },
];

export const define: Define = (command, io) => {
  command
    .argument(
      '[SESSION...]',
      'a number of `belfry pending`, a project, or the id of a session or event (default: all that have stopped)',
    )
    .option('--at <WHEN>', '"reset": as soon as their limit is over')
    .option('--list', 'only list what has stopped, and what comes next')
    .option('--not-now', 'keep them from going on by themselves, until they stop again')
    .action(async (given: string[], flags: Flags) => {
      const { at, list, notNow } = flags;
      if (at !== undefined && at !== 'reset')
        throw new UserError(`--at ${oneLine(at)}: must be "reset"; nothing was sent`, EXIT.usage);
      if ([at !== undefined, list, notNow].filter((one) => one === true).length > 1)
        throw new UserError('--at, --list and --not-now do not go together; nothing was sent', EXIT.usage);
      await refuseAgents('run it in a terminal of your own');
      const paths = resolveOwnPaths();
      await ensureListening(paths);
      const call = <T>(args: object): Promise<T> => ask(paths, 'continue', { ...args }, PATIENCE) as Promise<T>;
      const { stopped } = await call<{ stopped: StoppedRow[] }>({ what: 'list' });
      const meant = given.length === 0 ? null : (await Promise.all(given.map((text) => keysOf(text, stopped)))).flat();
      const isMeant = ({ key }: StoppedRow): boolean => meant === null || meant.includes(key);
      if (list) return show(io, stopped.filter(isMeant));
      if (stopped.length === 0) {
        if (io.json) return io.data({ continued: [] });
        return io.line('No session has stopped.');
      }
      if (notNow) return hold(io, (await call<{ held: Named[] }>({ what: 'hold', sessions: meant })).held);
      const when = at === 'reset' ? 'reset' : 'now';
      const { continued } = await call<{ continued: ContinuedRow[] }>({ what: 'go-on', sessions: meant, when });
      await report(io, continued);
    });
};

type Named = Pick<StoppedRow, 'key' | 'session_id' | 'project' | 'title'>;

/** The keys of the stopped sessions that are meant: one, those of a project, or all that a limit has stopped. */
async function keysOf(text: string, stopped: readonly StoppedRow[]): Promise<readonly string[]> {
  const id = await idOf(resolveOwnPaths(), text);
  const isMeant = await withStore((store) => meantBy(store, id));
  const own = stopped.filter((row) => isMeant(row) || row.key === text || nameOf(row) === text);
  if (own.length > 0) return own.map(({ key }) => key);
  throw new UserError(
    `${oneLine(text)} is no session that a limit, a server error or a network error stopped: \`belfry continue --list\` lists those; nothing was sent`,
    EXIT.notFound,
  );
}

/** Which rows an id of whatever kind means. */
async function meantBy(store: StoreReader, text: string): Promise<(row: StoppedRow) => boolean> {
  const found = await identified(store, text);
  if (found === null) return () => false;
  if (found.what === 'question') {
    const question = await store.question(found.id);
    return ({ key }) => question !== null && key === pathKeyOf(question.sessionKey);
  }
  const { event } = await eventOf(store, text);
  const { sessionId, attributes } = event;
  if (sessionId !== null) return ({ key }) => key === pathKeyOf(sessionKeyText({ ...event, sessionId }));
  return ({ key, limit }) => limit !== null && limitKeyOf(keyOfPath(key), limit) === attributes['key'];
}

const nameOf = ({ project, title, session_id: sessionId }: Named): string => sessionName({ project, title, sessionId });

/** What each is called among these: where a name repeats, with its title or, where that repeats as well, the beginning of its id. */
export function namesAmong(rows: readonly Named[], short: (id: string) => string): (row: Named) => string {
  const isAlone = (row: Named, words: (one: Named) => string): boolean =>
    rows.every((other) => other.key === row.key || words(other) !== words(row));
  const titled = (row: Named): string =>
    row.project === null || row.title === null ? nameOf(row) : `${nameOf(row)} (${row.title})`;
  return (row) => {
    if (isAlone(row, nameOf)) return nameOf(row);
    return titled(row) !== nameOf(row) && isAlone(row, titled)
      ? titled(row)
      : `${nameOf(row)} (${short(row.session_id)})`;
  };
}

/** The same, with ids that can be typed after a command. */
async function namesOf(rows: readonly Named[]): Promise<(row: Named) => string> {
  const ids = rows.map((row) => row.session_id);
  return namesAmong(rows, await withStore((store) => shortIds(store, ids)));
}

function causeWords({ cause, limit, resets_at }: StoppedRow, now: number): string {
  if (limit === null) return stopCauseWords(cause);
  const until =
    resets_at === null ? '' : Date.parse(resets_at) > now ? `, until ${dayTime(Date.parse(resets_at), now)}` : ', over';
  return `${limitWords(limit)}${until}`;
}

function nextWords({ next, next_at }: StoppedRow, now: number): string {
  const at = next_at === null ? '' : ` ${dayTime(Date.parse(next_at), now)}`;
  if (next === 'itself') return `goes on by itself${at}`;
  if (next === 'planned') return `Belfry continues it${at}`;
  return next === 'ready' ? 'can go on' : 'only in its terminal';
}

async function show(io: Io, rows: readonly StoppedRow[]): Promise<void> {
  if (io.json) return io.data({ stopped: rows });
  const now = Date.now();
  const ids = rows.map((row) => row.session_id);
  const short = io.tty ? await withStore((store) => shortIds(store, ids)) : (id: string) => id;
  const cells = rows.map((row) => [
    row.agent,
    nameOf(row),
    causeWords(row, now),
    io.tty ? ago(Date.parse(row.stopped_at), now) : clockTime(Date.parse(row.stopped_at)),
    nextWords(row, now),
    short(row.session_id),
  ]);
  await printRows(io, COLUMNS, cells, 'No session has stopped.');
}

async function hold(io: Io, held: readonly Named[]): Promise<void> {
  if (io.json) io.data({ held });
  else io.line(keptWords(held.map(await namesOf(held))));
}

/** A line each. */
async function report(io: Io, continued: readonly ContinuedRow[]): Promise<void> {
  const isWhole =
    continued.length > 0 && continued.every(({ result }) => result === 'continued' || result === 'planned');
  if (!isWhole) io.exit = EXIT.refused;
  const now = Date.now();
  if (io.json) return io.data({ continued });
  const name = await namesOf(continued);
  for (const row of continued) {
    const at = row.at === null ? null : Date.parse(row.at);
    io.line(`${name(row)}: ${wentOnWords({ ...row, at }, now)}`);
  }
}
