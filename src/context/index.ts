// What a notification says beyond the hook input: messages of the service, else the input's own, else the transcript's end.
import type { ApiError } from '../api/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../model/config.ts';
import { UserError } from '../model/errors.ts';
import type { Event } from '../model/event.ts';
import type { Context, ContextMessage } from '../model/notification.ts';
import type { SessionRecord } from '../model/session.ts';
import { byDeadline } from './deadline.ts';
import { type MessageService, serviceMessages } from './service-messages.ts';
import { asked } from './spoken.ts';
import { transcriptEnd } from './transcript.ts';

/** What a context reader is asked about. */
export interface ContextQuestion {
  readonly event: Event;
  readonly record: SessionRecord | null;
}

export interface ContextParts {
  readonly config: () => Config;
  /** The service's client; null where none is configured. It should not repeat requests: the deadline is short. */
  readonly service: () => MessageService | null;
  readonly home: string;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Ms that nothing is asked again after the service refused: the whole service, or one session it does not know. */
const REFUSED = 60_000;
const UNKNOWN_SESSION = 300_000;
const REMEMBERED = 500;

type Role = ContextMessage['role'];
const latest = (messages: readonly ContextMessage[], role: Role): ContextMessage | undefined =>
  messages.findLast((message) => message.role === role);

/** Known by its shape, so that the client's code is loaded only where there is a service. */
const isApiError = (error: unknown): error is ApiError => error instanceof UserError && 'kind' in error;

/** What the hook input and the ledger hold. */
function fromInput({ event, record }: ContextQuestion): readonly ContextMessage[] {
  const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);
  const request = text(event.extra['prompt']) ?? text(event.extra['request']) ?? text(record?.marks['request']);
  const own = request === null ? null : asked(request);
  const words = text(event.extra['last_words']);
  const found: ContextMessage[] = [];
  if (own !== null) found.push({ role: 'user', text: own, at: null, from: 'input' });
  if (words !== null) found.push({ role: 'assistant', text: words, at: null, from: 'input' });
  return found;
}

/** Builds the reader: it keeps `context.timeout` and never throws. */
export function createContext(parts: ContextParts): (question: ContextQuestion) => Promise<Context> {
  const { clock } = parts;
  /** Session id, or '' for the whole service, to the Unix ms until which it is not asked. */
  const quiet = new Map<string, number>();

  function remember(key: string, ms: number): void {
    quiet.set(key, clock.now() + ms);
    const first = quiet.keys().next().value;
    if (quiet.size > REMEMBERED && first !== undefined) quiet.delete(first);
  }

  function refused(error: unknown, sessionId: string): void {
    if (!isApiError(error)) throw error;
    if (error.kind === 'not-found') remember(sessionId, UNKNOWN_SESSION);
    if (error.kind === 'rate-limited') remember('', error.retryAfterMs ?? REFUSED);
    if (error.kind === 'unauthenticated' || error.kind === 'forbidden') remember('', REFUSED);
    if (error.kind !== 'cancelled' && error.kind !== 'not-found')
      parts.log('the service gave no messages', { why: error.message });
  }

  async function asksService(
    question: ContextQuestion,
    config: Config,
    signal: AbortSignal,
  ): Promise<readonly ContextMessage[]> {
    const { sessionId } = question.event;
    const service = parts.service();
    if (service === null || sessionId === null) return [];
    if ([sessionId, ''].some((key) => (quiet.get(key) ?? 0) > clock.now())) return [];
    const about = { sessionId, computerId: config.context.computer_id, wanted: config.context.messages };
    try {
      return await serviceMessages(service, about, signal);
    } catch (error) {
      refused(error, sessionId);
      return [];
    }
  }

  async function asksTranscript(
    { record }: ContextQuestion,
    given: readonly ContextMessage[],
  ): Promise<readonly ContextMessage[]> {
    const path = record?.transcript ?? null;
    if (path === null || (latest(given, 'assistant') && latest(given, 'user'))) return [];
    return transcriptEnd(path, parts.home);
  }

  return async (question) => {
    const config = parts.config();
    const given = fromInput(question);
    const by = <T>(otherwise: T, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
      byDeadline(clock, config.context.timeout, otherwise, work);
    const [service, transcript] = await Promise.all([
      by<readonly ContextMessage[]>([], (signal) => asksService(question, config, signal)),
      by<readonly ContextMessage[]>([], () => asksTranscript(question, given)),
    ]);
    if (service.length > 0) return { messages: service };
    const roles: readonly Role[] = ['user', 'assistant'];
    return { messages: roles.flatMap((role) => latest(given, role) ?? latest(transcript, role) ?? []) };
  };
}
