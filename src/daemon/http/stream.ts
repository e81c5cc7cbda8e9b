// GET /stream: the change feed as server-sent events. Last-Event-ID resumes without a gap; what was missed for longer than it is kept is said.
// With ?rows=true a message carries the rows of what changed, so that a page that is open asks for nothing again.
import { problemReply } from '../../http/problem.ts';
import type { HttpRequest, HttpReply, HttpRoute, HttpStream } from '../../http/route.ts';
import { STREAM_PATH } from '../../http/api/paths.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import { pathKeyOf } from '../../model/ids.ts';
import type { Change, Store } from '../../store/contract.ts';
import type { Log } from '../shared/log.ts';
import { nextChange } from '../shared/next-change.ts';
import { VERSION } from '../../lib/version.ts';
import type { Reader } from './reader.ts';
import type { ChangedRows, ChangedRowsCall } from './reads/changed-rows.ts';

/** Changes that are read at once. */
const BATCH = 500;
/** Ms after which a silent stream says that it is there. */
const HEARTBEAT = 15_000;
/** Ms that changes are gathered before they are sent, so that a burst is one message to draw. */
const GATHER = 50;

/** Longest rows of one message, in UTF-16 units: a client that reads slowly is cut off at twice that. */
const MAX_ROWS = 200_000;

interface StreamDeps {
  readonly store: Pick<Store, 'changesSince' | 'isCursor' | 'watchChanges'>;
  readonly clock: Clock;
  readonly reader: Pick<Reader, 'read'>;
  readonly log: Log;
  /** Machines elsewhere that are not reachable now, with since when: no row of the store says so. */
  readonly lost: () => ReadonlyMap<string, number>;
}

/** The route, for whoever may read. */
export function streamRoute(deps: StreamDeps): HttpRoute {
  return { method: 'GET', path: STREAM_PATH, name: 'stream', handle: (request) => open(request, deps) };
}

async function open({ headers, query }: HttpRequest, deps: StreamDeps): Promise<HttpReply> {
  const given = headers['last-event-id'];
  if (given !== undefined && !deps.store.isCursor(String(given)))
    return problemReply(400, 'last-event-id must be the id of a message of this stream');
  const from = given === undefined ? null : String(given);
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    body: 'retry: 1000\n\n',
    stream: streamFrom(from, query.get('rows') === 'true', deps),
  };
}

/** `from`: the id of the last message that was seen; null: what is new from now on. `withRows`: each message carries the rows of what changed. */
function streamFrom(from: string | null, withRows: boolean, deps: StreamDeps): HttpStream {
  return async ({ write, signal }) => {
    const { store, clock } = deps;
    let seen = from ?? (await store.changesSince(null, 0)).cursor;
    const follower = withRows ? new Follower(deps) : null;
    await follower?.rowsOf([]);
    if (from === null || withRows) write(message(seen, 'open', withRows ? { version: VERSION } : {}));
    let lost = namesOf(deps);
    while (!signal.aborted) {
      const changed = nextChange({ store, clock }, HEARTBEAT, signal);
      const { changes, reset, cursor } = await store.changesSince(seen, BATCH);
      seen = cursor;
      const before = lost;
      lost = namesOf(deps);
      if (reset || lost !== before) {
        if (!write(message(seen, 'reset', {}))) return;
      } else if (changes.length > 0) {
        const rows = follower === null ? {} : { rows: await follower.rowsOf(changes) };
        if (!write(message(seen, 'changes', { changes: changes.map(changeJson), ...rows }))) return;
        if (changes.length === BATCH) continue; // there is more
      }
      const woken = await changed;
      if (woken === 'silence' && !write(': still here\n\n')) return;
      if (woken === 'change') await sleep(GATHER, clock, signal);
    }
  };
}

/** Sessions there are shown otherwise once it changes. */
const namesOf = ({ lost }: StreamDeps): string => [...lost().keys()].sort().join(' ');

/** One follower that gets rows: what it has listed, so that it hears what is not any more. */
class Follower {
  readonly #reader: Pick<Reader, 'read'>;
  readonly #log: Log;
  #listed: readonly string[] | null = null;

  constructor({ reader, log }: StreamDeps) {
    this.#reader = reader;
    this.#log = log;
  }

  /** Null: they are more than one message holds, or cannot be read now. Never rejects. */
  async rowsOf(changes: readonly Change[]): Promise<ChangedRows['rows'] | null> {
    const call: ChangedRowsCall = { changes: changes.map(({ type, id }) => ({ type, id })), listed: this.#listed };
    try {
      const json = String(await this.#reader.read('changedRows', call));
      const { listed, rows } = JSON.parse(json) as ChangedRows; // of our own thread
      this.#listed = listed;
      return json.length > MAX_ROWS ? null : rows;
    } catch (error) {
      this.#log('rows of a change could not be read', { error: String(error) });
      return null;
    }
  }
}

const changeJson = ({ type, id, at }: Change) => ({
  type,
  id: type === 'session' ? pathKeyOf(id) : id,
  at: new Date(at).toISOString(),
});

function message(id: string, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`; // JSON has no line feeds
}
