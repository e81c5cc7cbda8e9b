// `belfry sessions`: the session record, once or as it changes.
import type { SessionRecord, SessionState } from '../model/session.ts';
import { effectiveState } from '../model/session-view.ts';
import type { Define } from './entry.ts';
import type { Io } from './io.ts';
import { withStore } from './with-store.ts';
import { type Cell, printRows, type Tone } from './table-output.ts';
import { sessionJson } from './json-output.ts';
import { parseSince } from './time-args.ts';
import { sleep } from '../lib/clock.ts';
import { formatDuration } from '../model/quantities.ts';

interface Options {
  readonly agent?: string;
  readonly since?: string;
  readonly all?: true;
  readonly watch?: true;
}

/** Ended sessions are listed this long, ms. */
const RECENT = 12 * 3_600_000;
/** How often `--watch` polls, ms. */
const EVERY = 1_000;
const HEAD = ['AGENT', 'PROJECT', 'BRANCH', 'STATE', 'FOR', 'TITLE', 'LAST WORDS', 'SESSION'];
const TONES: Readonly<Partial<Record<SessionState, Tone>>> = {
  waiting: 'notice',
  failed: 'bad',
  ended: 'dim',
  working: 'good',
};

export const define: Define = (command, io) => {
  command
    .option('--agent <NAME>', 'only of this agent')
    .option('--since <TIME>', 'only those seen since: a duration back from now (2h) or a date')
    .option('--all', 'also those that ended long ago')
    .option('--watch', 'keep showing them as they change; ends with Ctrl-C')
    .action(async (options: Options) => {
      if (!options.watch) return show(io, await readSessions(options), options);
      for (let last = ''; ; ) {
        const records = await readSessions(options);
        const now = JSON.stringify(records.map(sessionJson));
        if (now !== last || io.tty) {
          if (io.tty) process.stdout.write('\u001b[H\u001b[2J');
          await show(io, records, options);
        }
        last = now;
        await sleep(EVERY);
      }
    });
};

async function readSessions(options: Options): Promise<readonly SessionRecord[]> {
  const now = Date.now();
  const since = options.since === undefined ? (options.all ? 0 : now - RECENT) : parseSince(options.since, now);
  const filter = { since, ...(options.agent === undefined ? {} : { agent: options.agent }) };
  const found = await withStore((store) => store.sessions(filter));
  return found.map((record) => effectiveState(record, now)).sort((a, b) => b.lastEvent - a.lastEvent);
}

async function show(io: Io, records: readonly SessionRecord[], options: Options): Promise<void> {
  if (io.json) return io.data(records.map(sessionJson));
  const now = Date.now();
  await printRows(
    io,
    HEAD,
    records.map((record) => sessionRow(record, now)),
    none(options),
  );
}

/** What to say when there is nothing to list. */
function none({ agent, since, all }: Options): string {
  if (agent !== undefined || since !== undefined) return 'no session matches';
  return all ? 'no sessions seen yet' : 'no sessions of late; --all lists those that ended long ago';
}

function sessionRow(record: SessionRecord, now: number): Cell[] {
  const state = record.waitingFor === null ? record.state : `${record.state}: ${record.waitingFor}`;
  return [
    record.agent,
    record.project ?? record.cwd ?? '',
    record.branch ?? '',
    { text: state, tone: TONES[record.state] ?? 'plain' },
    formatDuration(Math.max(0, now - record.since)),
    record.title ?? '',
    record.lastWords ?? '',
    { text: record.sessionId, tone: 'dim' },
  ];
}
