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
  readonly store: Pick<Store, 'changesSince' | 'watchChanges'>;
  readonly clock: Clock;
}

/** The route, for whoever may read. */
export function streamRoute(deps: StreamDeps): HttpRoute {
  return { method: 'GET', path: STREAM_PATH, name: 'stream', handle: (request) => open(request, deps) };
}

async function open({ headers }: HttpRequest, deps: StreamDeps): Promise<HttpReply> {
  const given = headers['last-event-id'];
  if (given !== undefined && !/^\d{1,15}$/.test(String(given)))
    return problemReply(400, 'last-event-id must be the id of a message of this stream');
  const from = given === undefined ? null : Number(given);
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    body: 'retry: 1000\n\n',
    stream: streamFrom(from, deps),
  };
}

/** `from`: the last change that was seen; null: what is new from now on. */
function streamFrom(from: number | null, { store, clock }: StreamDeps): HttpStream {
  return async ({ write, signal }) => {
    let seen = from ?? (await store.changesSince(0, 1)).last;
    if (from === null) write(message(seen, 'open', {}));
    while (!signal.aborted) {
      const changed = nextChange({ store, clock }, HEARTBEAT, signal);
      const { changes, reset, last } = await store.changesSince(seen, BATCH);
      if (reset || seen > last) {
        seen = last;
        if (!write(message(seen, 'reset', {}))) return;
      } else if (changes.length > 0) {
        seen = changes.at(-1)?.seq ?? seen;
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

function message(id: number, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`; // JSON has no line feeds
}
