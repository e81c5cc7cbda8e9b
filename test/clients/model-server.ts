// A local model service: answers every request for messages with one text, streamed or whole.
import { createServer } from 'node:http';
import { listen } from './listen.ts';

/** `requests` are the paths that were asked for. */
export interface ModelServer {
  readonly url: string;
  readonly requests: string[];
  /** Answers with the text, refuses the key, or says nothing at all. */
  behaviour: 'answer' | 'refuse' | 'hang';
}

const REFUSAL = '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}';

/** One server-sent event. */
const event = (type: string, data: Record<string, unknown>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

const USAGE = { input_tokens: 10, output_tokens: 10 };

function message(model: string, content: readonly unknown[], over: boolean) {
  return {
    id: 'msg_local',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: over ? 'end_turn' : null,
    stop_sequence: null,
    usage: USAGE,
  };
}

function streamed(model: string, text: string): string {
  return [
    event('message_start', { message: message(model, [], false) }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE }),
    event('message_stop', {}),
  ].join('');
}

/** Starts the server on a free loopback port; closed when the running test has finished. */
export async function startModelServer(text: string): Promise<ModelServer> {
  const requests: string[] = [];
  const model: { -readonly [K in keyof ModelServer]: ModelServer[K] } = { url: '', requests, behaviour: 'answer' };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      requests.push(`${request.method} ${path}`);
      const asked = asObject(Buffer.concat(chunks).toString('utf8'));
      const name = String(asked['model'] ?? 'local');
      if (model.behaviour === 'hang' && path.includes('/messages')) return; // the client waits
      if (model.behaviour === 'refuse') {
        response.writeHead(401, { 'content-type': 'application/json' }).end(REFUSAL);
      } else if (!path.includes('/messages')) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}');
      } else if (path.includes('count_tokens')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":10}');
      } else if (asked['stream'] === true) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed(name, text));
      } else {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(message(name, [{ type: 'text', text }], true)));
      }
    });
  });
  model.url = await listen(server);
  return model;
}

function asObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // a request without a body
  }
}
