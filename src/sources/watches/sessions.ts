// Watches sessions of the service: running to idle with the last assistant text, and stuck in pending (sections 2.10, 2.11, 4.5).
import * as z from 'zod';
import { ApiError } from '../../api/client/errors.ts';
import type { Client } from '../../api/index.ts';
import { duration } from '../../model/settings/config.ts';
import { defineWatch, type Observation } from '../../model/watch/watch.ts';
import { afterInterval, every } from '../../model/watch/poll-interval.ts';

/** What was last seen of each session. */
interface Cursor {
  readonly [id: string]: {
    readonly status: string;
    /** Unix ms when this status was first seen. */
    readonly since: number;
    /** Messages when it last became idle, so that each time is an occurrence of its own. */
    readonly messages: number;
    readonly stuckReported: boolean;
  };
}

type Session = Awaited<ReturnType<Client['sessions']['get']>>;

/** Most sessions read in one poll, the newest ones. */
const MOST_SESSIONS = 100;

const schema = z.strictObject({
  every: every(30_000),
  ids: z.array(z.string().min(1)).default([]).meta({ description: 'Sessions to watch' }),
  created: z
    .boolean()
    .default(true)
    .meta({ description: 'Watch the sessions that `belfry api sessions create` made, too' }),
  pending_over: duration.default(600_000).meta({ description: 'Pending for longer is stuck' }),
});
type Settings = z.output<typeof schema>;

/** `[watches.sessions]`. */
export const sessionsWatch = defineWatch<Client, Settings, Cursor>({
  name: 'sessions',
  schema,
  next: afterInterval,
  poll: async ({ client, settings, cursor, now, signal, created }) => {
    const ids = [...new Set([...settings.ids, ...(settings.created ? created : [])])].slice(-MOST_SESSIONS);
    const next: Record<string, Cursor[string]> = {};
    const observations: Observation[] = [];
    for (const id of ids) {
      const session = await read(client, id, signal);
      if (session === null) continue; // deleted: nothing to report, and nothing to remember
      const before = cursor !== null && Object.hasOwn(cursor, id) ? cursor[id] : undefined;
      const since = before?.status === session.status ? before.since : now;
      const stuck = session.status === 'pending' && now - since >= settings.pending_over;
      // A turn that began and ended between two polls shows as more messages.
      const finished =
        session.status === 'idle' &&
        before !== undefined &&
        (before.status !== 'idle' || session.messageCount > before.messages);
      if (finished) observations.push(await idle(client, session, now, signal));
      if (stuck && !before?.stuckReported) observations.push(pending(session, now - since, since, now));
      next[id] = { status: session.status, since, messages: session.messageCount, stuckReported: stuck };
    }
    return { observations, cursor: next };
  },
  docs: {
    summary:
      'Sessions that you name by id or create with `belfry api`: one that goes from running to idle, with the last assistant message, or is pending for too long.',
    example: 'every = "30s"\nids = ["SESSION"]',
  },
});

async function read(client: Client, sessionId: string, signal: AbortSignal): Promise<Session | null> {
  try {
    return await client.sessions.get({ sessionId }, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function idle(client: Client, session: Session, now: number, signal: AbortSignal): Promise<Observation> {
  const text = await lastAssistantText(client, session.sessionId, signal);
  return {
    ...about(session, now),
    occurrence: `${session.sessionId} idle at ${session.messageCount}`,
    detail: null,
    urgency: 'normal',
    abnormal: false,
    title: `${nameOf(session)} is idle`,
    body: text ?? `${session.messageCount} messages`,
  };
}

function pending(session: Session, ms: number, since: number, now: number): Observation {
  return {
    ...about(session, now),
    occurrence: `${session.sessionId} pending since ${since}`,
    detail: 'pending',
    urgency: 'urgent',
    abnormal: true,
    title: `${nameOf(session)} is stuck in pending`,
    body: `Pending for ${Math.round(ms / 60_000)} min. Look at its computer: belfry api computers list`,
  };
}

function nameOf(session: Session): string {
  return session.title ? `Session ${session.title}` : `Session ${session.sessionId}`;
}

function about(session: Session, now: number) {
  return {
    kind: 'session.idle',
    sessionId: session.sessionId,
    project: null,
    at: now,
    attributes: {
      status: session.status,
      message_count: session.messageCount,
      computer_id: session.computerId ?? null,
    },
  } as const;
}

/** Most pages of 100 messages read. */
const MOST_PAGES = 3;

/** The newest one: neither the order of messages nor of pages is specified. Null when there are none, or the service does not give them: a notification goes out without. */
async function lastAssistantText(client: Client, sessionId: string, signal: AbortSignal): Promise<string | null> {
  let newest: { at: number; text: string } | null = null;
  try {
    let pages = 0;
    for await (const page of client.sessions.messages.pages({ sessionId, limit: 100, role: 'assistant' }, { signal })) {
      for (const message of page.messages) {
        const text = message.content
          .filter((block) => block.type === 'text' || block.type === undefined)
          .map((block) => block.text ?? '')
          .join('\n')
          .trim();
        if (message.role !== 'assistant' || message.visibility === 'llm_only' || text === '') continue;
        if (newest === null || message.createdAt >= newest.at) newest = { at: message.createdAt, text };
      }
      if (++pages >= MOST_PAGES) break;
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return newest?.text ?? null;
}
