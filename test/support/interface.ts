// The HTTP interface of a built daemon, as the page uses it: let in by `belfry dashboard`, called by the typed client, its answers held against the contract.
import { type Call, createInterfaceClient, InterfaceError } from '../../src/http/api/client.ts';
import { contract, type StreamRows } from '../../src/http/api/contract.ts';
import { BASE, type EndpointName } from '../../src/http/api/paths.ts';
import { asked } from './thread.ts';

/** Somebody who was let in. */
export interface Visitor {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  readonly token: string;
  /** Throws where an answer is not as the contract has it. */
  readonly call: Call;
}

/** The origin and the code of one address that `belfry dashboard` gives. */
export async function dashboardAddress(home: string): Promise<{ readonly origin: string; readonly code: string }> {
  const { url } = await asked<{ url: string }>(home, ['dashboard']);
  const [origin = '', code = ''] = url.split('/#t=');
  return { origin, code };
}

/** Opens the page's way in and goes through it. */
export async function visit(home: string): Promise<Visitor> {
  const { origin, code } = await dashboardAddress(home);
  const { token } = await createInterfaceClient({ origin, token: () => null })('page.token', { code });
  return { origin, token, call: checked(createInterfaceClient({ origin, token: () => token })) };
}

/** A client that holds every answer against the contract. */
export function checked(call: Call): Call {
  return async (name, input, signal) => {
    const answer = await call(name, input, signal);
    contract[name]().result().parse(answer);
    return answer;
  };
}

/** The problem that a call ends with. */
export async function problemOf(call: Promise<unknown>): Promise<InterfaceError['problem']> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof InterfaceError) return error.problem;
  throw new Error(`expected a problem, got ${String(error)}`);
}

/** One message of the stream. */
export interface StreamMessage {
  readonly id: number;
  readonly event: string;
  readonly data: {
    readonly changes?: readonly { readonly type: string; readonly id: string }[];
    readonly rows?: StreamRows;
  };
}

/** The stream's messages as they come. */
export async function* messages(
  { origin, token }: Visitor,
  options: { readonly signal: AbortSignal; readonly lastId?: number; readonly rows?: boolean },
): AsyncGenerator<StreamMessage, void, undefined> {
  const { signal, lastId, rows = false } = options;
  const response = await fetch(`${origin}${BASE}/stream${rows ? '?rows=true' : ''}`, {
    signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastId === undefined ? {} : { 'last-event-id': String(lastId) }),
    },
  });
  let text = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
      );
      text = text.slice(end + 2);
      if (lines.has('data'))
        yield {
          id: Number(lines.get('id')),
          event: lines.get('event') ?? '',
          data: JSON.parse(lines.get('data') ?? '{}'),
        };
    }
  }
}

/** Every endpoint that only reads and needs nothing in its path. */
export const PLAIN_READS = [
  'sessions.list',
  'events.list',
  'notifications.list',
  'questions.list',
  'deliveries.list',
  'channels.list',
  'mutes.list',
  'rules.get',
  'status.get',
  'status.ifNow',
] as const satisfies readonly EndpointName[];
