// The newest messages of a session from the organization's service, whose order of messages and pages is not specified.
import type { ContextMessage } from '../model/notification/notification.ts';
import { toMessage } from './message-text.ts';

/** A message as the service gives it, as far as context needs it. */
export interface ServiceMessage {
  readonly id: string;
  readonly role: string;
  readonly content: readonly unknown[];
  readonly createdAt: number;
  readonly visibility?: string | null | undefined;
  readonly isUserVisible?: boolean | null | undefined;
}

interface MessagePage {
  readonly messages: readonly ServiceMessage[];
  readonly pagination?:
    | { readonly hasMore?: boolean | null | undefined; readonly nextCursor?: string | null | undefined }
    | null
    | undefined;
}

/** What context needs of the service's client; `createClient(...)` has it. */
export interface MessageService {
  readonly sessions: {
    get(
      input: { sessionId: string; computerId?: string | undefined },
      options: { signal: AbortSignal },
    ): Promise<{ readonly computerId?: string | null | undefined }>;
    messages(
      input: { sessionId: string; limit: number; cursor?: string | undefined; computerId?: string | undefined },
      options: { signal: AbortSignal },
    ): Promise<MessagePage>;
  };
}

/** Most pages asked for. */
const PAGES = 10;
const PAGE = 100;

const newest = (page: readonly ServiceMessage[]): number => Math.max(...page.map((m) => m.createdAt));
const oldest = (page: readonly ServiceMessage[]): number => Math.min(...page.map((m) => m.createdAt));

function said(message: ServiceMessage): ContextMessage | null {
  if (message.visibility === 'llm_only' || message.isUserVisible === false) return null;
  const words = toMessage(message.role, message.content);
  return words === null ? null : { ...words, at: message.createdAt, from: 'service' };
}

/** All pages needed to be sure of the newest messages; null when the bound was reached before. */
async function gather(
  service: MessageService,
  where: { sessionId: string; computerId?: string | undefined },
  signal: AbortSignal,
): Promise<readonly ServiceMessage[] | null> {
  const seen = new Map<string, ServiceMessage>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let before: readonly ServiceMessage[] = [];
  for (let asked = 0; asked < PAGES; asked++) {
    const page = await service.sessions.messages({ ...where, limit: PAGE, cursor }, { signal });
    for (const message of page.messages) seen.set(message.id, message);
    const next = page.pagination?.hasMore === false ? null : (page.pagination?.nextCursor ?? null);
    const ended = page.messages.length === 0 || next === null || cursors.has(next);
    // Pages that go back in time: the newest were on the first.
    const backwards = before.length > 0 && page.messages.length > 0 && newest(page.messages) < oldest(before);
    if (ended || backwards) return [...seen.values()];
    cursors.add(next);
    cursor = next;
    before = page.messages;
  }
  return null; // not known whether the newest were among them: quote nothing
}

/** The newest `wanted` messages said by user or assistant, oldest first; the last request is always among them. Throws what the client throws. */
export async function serviceMessages(
  service: MessageService,
  about: { readonly sessionId: string; readonly computerId: string | undefined; readonly wanted: number },
  signal: AbortSignal,
): Promise<readonly ContextMessage[]> {
  const { sessionId, computerId } = about;
  const session = await service.sessions.get(
    { sessionId, ...(computerId === undefined ? {} : { computerId }) },
    { signal },
  );
  const computer = session.computerId ?? computerId;
  const where = { sessionId, ...(computer === undefined ? {} : { computerId: computer }) };
  const all = await gather(service, where, signal);
  const ordered = [...(all ?? [])].sort((a, b) => a.createdAt - b.createdAt).flatMap((message) => said(message) ?? []);
  const latest = ordered.slice(-about.wanted);
  if (latest.some((message) => message.role === 'user')) return latest;
  const request = ordered.findLast((message) => message.role === 'user');
  return request === undefined || about.wanted < 2 ? latest : [request, ...latest.slice(1 - about.wanted)];
}
