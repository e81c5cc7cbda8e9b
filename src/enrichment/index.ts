// What a notification adds to the hook input: messages of the service, else the input's own, else the transcript's end.
import type { Config } from '../model/settings/config.ts';
import type { Event } from '../model/event/event.ts';
import type { Context, ContextMessage } from '../model/notification/notification.ts';
import type { SessionRecord } from '../model/session/session.ts';
import { withDeadline } from '../lib/async/deadline.ts';
import { createServiceAsker, type ServiceAskerDeps } from './service-asker.ts';
import { userRequest as requestIn } from './message-text.ts';
import { readTranscriptTail, type TranscriptDeps } from './transcript.ts';

/** A request for enrichment. */
export interface ContextRequest {
  readonly event: Event;
  readonly record: SessionRecord | null;
  /** When the input began, Unix ms: what was said later belongs to another turn. */
  readonly until: number;
}

export interface EnrichmentDeps extends ServiceAskerDeps, TranscriptDeps {
  readonly config: () => Config;
}

type Role = ContextMessage['role'];
const latest = (messages: readonly ContextMessage[], role: Role): ContextMessage | undefined =>
  messages.findLast((message) => message.role === role);

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

/** Ms by which a message may be stamped after the hook that tells of it: a file's time is that of the kernel's last tick. */
const TICK = 250;

/** What was said in the turn; an input that comes late is of a turn before the one that the row knows. */
async function fromTranscript(
  { record, until }: ContextRequest,
  given: readonly ContextMessage[],
  deps: TranscriptDeps,
): Promise<readonly ContextMessage[]> {
  const path = record?.transcript ?? null;
  if (path === null || (latest(given, 'assistant') && latest(given, 'user'))) return [];
  const began = record?.turnStarted ?? null;
  return readTranscriptTail(path, deps, { from: began !== null && began > until ? null : began, to: until + TICK });
}

/** Builds the reader: it keeps `context.timeout` and never throws. */
export function createEnricher(deps: EnrichmentDeps): (question: ContextRequest) => Promise<Context> {
  const { clock } = deps;
  const fromService = createServiceAsker(deps);

  return async (question) => {
    const { timeout, computer_id: computerId, messages: wanted } = deps.config().context;
    const given = fromInput(question);
    const by = <T>(otherwise: T, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
      withDeadline(clock, timeout, otherwise, work);
    const [service, transcript] = await Promise.all([
      by<readonly ContextMessage[]>([], (signal) => fromService(question.event, { computerId, wanted }, signal)),
      by<readonly ContextMessage[]>([], () => fromTranscript(question, given, deps)),
    ]);
    if (service.length > 0) return { messages: service };
    // A reply that came without a prompt's hook is the newer request.
    const written = latest(transcript, 'user');
    const began = question.record?.turnStarted ?? null;
    const isNewer = written !== undefined && written.at !== null && began !== null && written.at >= began;
    const request = isNewer ? written : (latest(given, 'user') ?? written);
    return {
      messages: [request, latest(given, 'assistant') ?? latest(transcript, 'assistant')].flatMap((m) => m ?? []),
    };
  };
}
