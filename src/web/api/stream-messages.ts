// Server-sent events out of a body: what the browser's own EventSource does, which cannot send a token.

export interface StreamMessage {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Longest message, in UTF-16 units: more is no stream of ours. */
const LONGEST = 4_000_000;

/** The messages as they come; null for a sign of life. Throws where a message has no end. */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage | null> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      if (text.length > LONGEST) throw new Error('a message of the stream has no end');
      for (const block of blocks) yield messageOf(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined); // it has ended already
  }
}

function messageOf(block: string): StreamMessage | null {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
  }
  const data = fields.get('data');
  if (data === undefined) return null;
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown };
}
