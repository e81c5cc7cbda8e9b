// A service with one session over real HTTP, in any order of messages and pages, with every fault.
import type { Answer, Receiver } from '../support/receiver.ts';
import { startReceiver } from '../support/receiver.ts';

/** Orders the service may choose. */
export interface Order {
  /** Messages within a page by time. */
  readonly messages: 'up' | 'down';
  /** Pages by time; `ends`: the newest page is the last. */
  readonly pages: 'newest first' | 'newest last';
}

export const ORDERS: readonly Order[] = (['up', 'down'] as const).flatMap((messages) =>
  (['newest first', 'newest last'] as const).map((pages) => ({ messages, pages })),
);

export interface Said {
  readonly role: string;
  readonly text?: string;
  readonly content?: readonly unknown[];
  readonly visibility?: string;
  readonly isUserVisible?: boolean;
}

export const KEY = 'sk-context-test-1234567890';

/** Serves the conversation of session `s1`, oldest first in `said`. `fault` answers instead, when it gives something. */
export async function serveConversation(
  said: readonly Said[],
  order: Order,
  options: { perPage?: number; computerId?: string; fault?: (path: string) => Answer | null } = {},
): Promise<Receiver> {
  const all = said.map((message, i) => ({
    id: `m${i}`,
    role: message.role,
    content: message.content ?? [{ type: 'text', text: message.text ?? '' }],
    createdAt: 1_000 + i,
    updatedAt: 1_000 + i,
    ...(message.visibility === undefined ? {} : { visibility: message.visibility }),
    ...(message.isUserVisible === undefined ? {} : { isUserVisible: message.isUserVisible }),
  }));
  const inOrder = order.pages === 'newest last' ? all : [...all].reverse();
  const json = (body: unknown): Answer => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const receiver = await startReceiver();
  receiver.answer = (request) => {
    const fault = options.fault?.(request.path) ?? null;
    if (fault !== null) return fault;
    if (request.headers.authorization !== `Bearer ${KEY}`) return 401;
    const url = new URL(request.path, receiver.url);
    if (url.pathname === '/api/v0/sessions/s1') {
      const session = { sessionId: 's1', status: 'idle', messageCount: all.length, createdAt: 1, updatedAt: 2 };
      return json(options.computerId === undefined ? session : { ...session, computerId: options.computerId });
    }
    if (url.pathname !== '/api/v0/sessions/s1/messages') return 404;
    const limit = Math.min(Number(url.searchParams.get('limit') ?? 20), options.perPage ?? 100);
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const page = inOrder
      .slice(from, from + limit)
      .sort((a, b) => (order.messages === 'up' ? 1 : -1) * (a.createdAt - b.createdAt));
    const hasMore = from + limit < inOrder.length;
    return json({ messages: page, pagination: { hasMore, nextCursor: hasMore ? String(from + limit) : null } });
  };
  return receiver;
}
