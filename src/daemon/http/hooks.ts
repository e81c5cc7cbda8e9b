// POST /hooks: a hook input from a container, WSL or another program; acknowledged once the journal has it.
import { jsonReply, problemReply } from '../../http/problem.ts';
import type { HttpReply, HttpRequest, HttpRoute } from '../../http/route.ts';
import { type Envelope, INPUT_LIMIT } from '../../ipc/envelope.ts';
import { newId } from '../../ipc/id.ts';
import { sha256 } from '../../lib/hash.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { Log } from '../shared/log.ts';

interface HookRouteDeps {
  readonly accept: (envelope: Envelope) => Promise<void>;
  /** Unix ms. */
  readonly now: () => number;
  readonly log: Log;
}

/** What may be said about an input: by the query, else by the header. */
const FIELDS = {
  agent: /^[\w.-]{1,64}$/,
  event: /^[\w.:/-]{1,128}$/,
  host: /^[\w.:-]{1,253}$/,
} as const;

/** At /hooks, and below /api/v1 like the rest of the interface. */
export function hookRoutes(deps: HookRouteDeps): readonly HttpRoute[] {
  return ['/hooks', '/api/v1/hooks'].map((path) => ({
    name: 'hooks',
    method: 'POST',
    path,
    machine: true,
    bodyLimit: INPUT_LIMIT,
    handle: (request) => publish(request, deps),
  }));
}

async function publish(request: HttpRequest, { accept, now, log }: HookRouteDeps): Promise<HttpReply> {
  const said: { -readonly [name in keyof typeof FIELDS]?: string } = {};
  for (const name of ['agent', 'event', 'host'] as const) {
    const given = request.query.get(name) ?? request.headers[`x-belfry-${name}`];
    if (given === undefined || given === '') continue;
    if (typeof given !== 'string' || !FIELDS[name].test(given))
      return problemReply(400, `"${name}" must be a plain name: letters, digits and . _ -`);
    said[name] = given;
  }
  const key = request.headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)))
    return problemReply(400, 'the idempotency-key may have 255 plain characters at most');
  if (request.body.byteLength === 0) return problemReply(400, 'send the hook input as the body');
  const at = now();
  const { host: saidHost, ...named } = said;
  const envelope: Envelope = {
    id: key === undefined ? newId(at) : idOfKey(request.token?.name ?? '', key),
    ...named,
    startedAt: at,
    receivedAt: at,
    // No process of this machine, as far as anybody can tell.
    origin: { pid: 0, ppid: 0, ancestors: [], env: {}, host: hostElsewhere(saidHost, request.peer) },
    raw: request.body,
  };
  try {
    await accept(envelope);
  } catch (error) {
    log('an event could not be journaled', { entry: envelope.id, error: String(error) });
    return problemReply(503, 'the journal cannot be written: send it again later', { 'retry-after': '5' });
  }
  return jsonReply(202, { id: envelope.id });
}

/** As it is named, but never this host: nothing that comes by HTTP may pass for what a hook says here. One that names it goes by its address. */
function hostElsewhere(said: string | undefined, peer: string): string {
  return [said, peer].find((name) => name !== undefined && !isThisHost(name)) ?? `http:${peer}`;
}

const isThisHost = (name: string): boolean => name.toLowerCase() === HERE.host.toLowerCase();

/** The same for the same key of the same sender, so that what is sent again is one event. */
function idOfKey(token: string, key: string): string {
  return `http_${sha256(`${token}\n${key}`, 32)}`;
}
