// What a notification adds to the hook input: messages of the service, else the input's own, else the transcript's end.
import type { ApiError } from '../api/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../model/config.ts';
import { UserError } from '../model/errors.ts';
import type { Event } from '../model/event.ts';
import type { Context, ContextMessage } from '../model/notification.ts';
import type { SessionRecord } from '../model/session.ts';
import { withDeadline } from './deadline.ts';
import { type MessageService, serviceMessages } from './service-messages.ts';
import { userRequest as requestIn } from './message-text.ts';
import { readTranscriptTail } from './transcript.ts';

/** A request for enrichment. */
export interface ContextRequest {
  readonly event: Event;
  readonly record: SessionRecord | null;
}

export interface EnrichmentDeps {
  readonly config: () => Config;
  /** The service's client; null where none is configured. It should not retry: the deadline is short. */
  readonly service: () => MessageService | null;
  /** Whether the service has the sessions of this agent; ids of other sessions are not sent to it. */
  readonly knownToService: (agent: string) => boolean;
  readonly home: string;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Ms that the service is not asked again after it failed, or about one session after it refused that. */
const FAILED = 60_000;
const REFUSED_SESSION = 300_000;
const REMEMBERED = 500;
/** Refusals that concern one session only. */
const ABOUT_SESSION: ReadonlySet<ApiError['kind']> = new Set(['not-found', 'refused', 'invalid-input']);

type Role = ContextMessage['role'];
const latest = (messages: readonly ContextMessage[], role: Role): ContextMessage | undefined =>
  messages.findLast((message) => message.role === role);

/** Known by its shape, so that the client's code is loaded only where there is a service. */
const isApiError = (error: unknown): error is ApiError => error instanceof UserError && 'kind' in error;

/** What the hook input and the session record hold. */
function fromInput({ event, record }: ContextRequest): readonly ContextMessage[] {
  const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);
  const request =
    text(event.attributes['prompt']) ?? text(event.attributes['request']) ?? text(record?.memory['request']);
  const own = request === null ? null : requestIn(request);
  const words = text(event.attributes['last_assistant_message']);
  const found: ContextMessage[] = [];
  if (own !== null) found.push({ role: 'user', text: own, at: null, from: 'input' });
  if (words !== null) found.push({ role: 'assistant', text: words, at: null, from: 'input' });
  return found;
}

/** Builds the reader: it keeps `context.timeout` and never throws. */
export function createEnricher(deps: EnrichmentDeps): (question: ContextRequest) => Promise<Context> {
  const { clock } = deps;
  /** Session id, or '' for the whole service, to the Unix ms until which it is not asked. */
  const quiet = new Map<string, number>();
  let asked: MessageService | null = null;

  function remember(key: string, ms: number): void {
    quiet.set(key, clock.now() + ms);
    const first = quiet.keys().next().value;
    if (quiet.size > REMEMBERED && first !== undefined) quiet.delete(first);
  }

  /** What failed is not tried again at once: each notification would wait for it. */
  function failed(error: ApiError, sessionId: string): void {
    const whole = !ABOUT_SESSION.has(error.kind);
    remember(whole ? '' : sessionId, whole ? (error.retryAfterMs ?? FAILED) : REFUSED_SESSION);
    if (error.kind === 'not-found') return; // the ordinary answer about a session that only this machine has
    deps.log('the service gave no messages', { why: error.message });
  }

  function late(): void {
    remember('', FAILED);
    deps.log('the service gave no messages', { why: 'it did not answer in time' });
  }

  async function asksService(
    question: ContextRequest,
    config: Config,
    signal: AbortSignal,
  ): Promise<readonly ContextMessage[]> {
    const { sessionId, agent } = question.event;
    const service = deps.service();
    if (service === null || sessionId === null || !deps.knownToService(agent)) return [];
    if (service !== asked) quiet.clear(); // other settings: what was wrong may be put right
    asked = service;
    if ([sessionId, ''].some((key) => (quiet.get(key) ?? 0) > clock.now())) return [];
    const about = { sessionId, computerId: config.context.computer_id, wanted: config.context.messages };
    // At once, and not when the client has noticed: the next notification must not wait as well.
    signal.addEventListener('abort', late, { once: true });
    try {
      return await serviceMessages(service, about, signal);
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.kind !== 'cancelled' && service === asked) failed(error, sessionId);
      return [];
    } finally {
      signal.removeEventListener('abort', late);
    }
  }

  async function asksTranscript(
    { record }: ContextRequest,
    given: readonly ContextMessage[],
  ): Promise<readonly ContextMessage[]> {
    const path = record?.transcript ?? null;
    if (path === null || (latest(given, 'assistant') && latest(given, 'user'))) return [];
    return readTranscriptTail(path, deps.home);
  }

  return async (question) => {
    const config = deps.config();
    const given = fromInput(question);
    const by = <T>(otherwise: T, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
      withDeadline(clock, config.context.timeout, otherwise, work);
    const [service, transcript] = await Promise.all([
      by<readonly ContextMessage[]>([], (signal) => asksService(question, config, signal)),
      by<readonly ContextMessage[]>([], () => asksTranscript(question, given)),
    ]);
    if (service.length > 0) return { messages: service };
    const roles: readonly Role[] = ['user', 'assistant'];
    return { messages: roles.flatMap((role) => latest(given, role) ?? latest(transcript, role) ?? []) };
  };
}
