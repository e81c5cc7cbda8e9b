// Asks the organization's service for a session's messages, and not again at once after it failed: each notification would wait for it.
import type { ApiError } from '../api/index.ts';
import type { Clock } from '../lib/clock.ts';
import { UserError } from '../model/errors.ts';
import type { Event } from '../model/event/event.ts';
import type { ContextMessage } from '../model/notification/notification.ts';
import { type MessageService, serviceMessages } from './service-messages.ts';

export interface ServiceAskerDeps {
  /** The service's client; null where none is configured. It should not retry: the deadline is short. */
  readonly service: () => MessageService | null;
  /** Whether the service has the sessions of this agent; ids of other sessions are not sent to it. */
  readonly knownToService: (agent: string) => boolean;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** The messages of the event's session; none where the service has none, or is not asked. */
export type ServiceAsker = (
  event: Pick<Event, 'sessionId' | 'agent'>,
  about: { readonly computerId: string | undefined; readonly wanted: number },
  signal: AbortSignal,
) => Promise<readonly ContextMessage[]>;

/** Ms that the service is not asked again after it failed, or about one session after it refused that. */
const FAILED = 60_000;
const REFUSED_SESSION = 300_000;
const REMEMBERED = 500;
/** Refusals that concern one session only. */
const ABOUT_SESSION: ReadonlySet<ApiError['kind']> = new Set(['not-found', 'refused', 'invalid-input']);
/** The whole service, among session ids. */
const WHOLE = '';

/** Known by its shape, so that the client's code is loaded only where there is a service. */
const isApiError = (error: unknown): error is ApiError => error instanceof UserError && 'kind' in error;

/** Nothing has failed yet. */
export function createServiceAsker({ service, knownToService, clock, log }: ServiceAskerDeps): ServiceAsker {
  /** Session ids, each with the Unix ms until which it is not asked about. */
  const quiet = new Map<string, number>();
  let asked: MessageService | null = null;

  function rest(key: string, ms: number, why: string | null): void {
    quiet.set(key, clock.now() + ms);
    const first = quiet.keys().next().value;
    if (quiet.size > REMEMBERED && first !== undefined) quiet.delete(first);
    if (why !== null) log('the service gave no messages', { why });
  }

  function failed({ kind, message, retryAfterMs }: ApiError, sessionId: string): void {
    if (!ABOUT_SESSION.has(kind)) rest(WHOLE, retryAfterMs ?? FAILED, message);
    // The ordinary answer about a session that only this machine has.
    else rest(sessionId, REFUSED_SESSION, kind === 'not-found' ? null : message);
  }

  const late = (): void => rest(WHOLE, FAILED, 'it did not answer in time');

  return async ({ sessionId, agent }, about, signal) => {
    const client = service();
    if (client === null || sessionId === null || !knownToService(agent)) return [];
    if (client !== asked) quiet.clear(); // other settings: what was wrong may be put right
    asked = client;
    if ([sessionId, WHOLE].some((key) => (quiet.get(key) ?? 0) > clock.now())) return [];
    // At once, and not when the client has noticed: the next notification must not wait as well.
    signal.addEventListener('abort', late, { once: true });
    try {
      return await serviceMessages(client, { sessionId, ...about }, signal);
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.kind !== 'cancelled' && client === asked) failed(error, sessionId);
      return [];
    } finally {
      signal.removeEventListener('abort', late);
    }
  };
}
