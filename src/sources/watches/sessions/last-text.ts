// The newest text of the assistant in a session; neither the order of messages nor of pages is specified.
import { ApiError } from '../../../api/client/errors.ts';
import type { Client } from '../../../api/index.ts';

/** Most pages of 100 messages read. */
const MOST_PAGES = 3;

/** Null when there are none, or the service does not give them: a notification goes out without. */
export async function lastAssistantText(
  client: Client,
  sessionId: string,
  signal: AbortSignal,
): Promise<string | null> {
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
