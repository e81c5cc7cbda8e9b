// GET /stream: the change feed as server-sent events. Last-Event-ID resumes without a gap; what was missed for longer than it is kept is said.
import { problemReply } from '../../http/problem.ts';
import type { HttpRequest, HttpReply, HttpRoute, HttpStream } from '../../http/route.ts';
import { STREAM_PATH } from '../../http/api/paths.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import { pathKeyOf } from '../../model/ids.ts';
import type { Change, Store } from '../../store/contract.ts';
import { nextChange } from '../shared/next-change.ts';

/** Changes that are read at once. */
const BATCH = 500;
/** Ms after which a silent stream says that it is there. */
const HEARTBEAT = 15_000;
/** Ms that changes are gathered before they are sent, so that a burst is one message to draw. */
const GATHER = 50;

interface StreamDeps {
  readonly store: Pick<Store, 'changesSince' | 'isCursor' | 'watchChanges'>;
  readonly clock: Clock;
}

/** The route, for whoever may read. */
export function streamRoute(deps: StreamDeps): HttpRoute {
  return { method: 'GET', path: STREAM_PATH, name: 'stream', handle: (request) => open(request, deps) };
}

async function open({ headers }: HttpRequest, deps: StreamDeps): Promise<HttpReply> {
  const given = headers['last-event-id'];
  if (given !== undefined && !deps.store.isCursor(String(given)))
    return problemReply(400, 'last-event-id must be the id of a message of this stream');
  const from = given === undefined ? null : String(given);
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    body: 'retry: 1000\n\n',
    stream: streamFrom(from, deps),
  };
}

/** `from`: the id of the last message that was seen; null: what is new from now on. */
function streamFrom(from: string | null, { store, clock }: StreamDeps): HttpStream {
  return async ({ write, signal }) => {
    let seen = from ?? (await store.changesSince(null, 0)).cursor;
    if (from === null) write(message(seen, 'open', {}));
    while (!signal.aborted) {
      const changed = nextChange({ store, clock }, HEARTBEAT, signal);
      const { changes, reset, cursor } = await store.changesSince(seen, BATCH);
      seen = cursor;
      if (reset) {
        if (!write(message(seen, 'reset', {}))) return;
      } else if (changes.length > 0) {
        if (!write(message(seen, 'changes', { changes: changes.map(changeJson) }))) return;
        if (changes.length === BATCH) continue; // there is more
      }
      const woken = await changed;
      if (woken === 'silence' && !write(': still here\n\n')) return;
      if (woken === 'change') await sleep(GATHER, clock, signal);
    }
  };
}

const changeJson = ({ type, id, at }: Change) => ({
  type,
  id: type === 'session' ? pathKeyOf(id) : id,
  at: new Date(at).toISOString(),
});

function message(id: string, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`; // JSON has no line feeds
}
