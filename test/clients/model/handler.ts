// A model's service on this machine, in every protocol that clients speak.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { anthropic } from './anthropic.ts';
import { completions } from './completions.ts';
import type { Failure } from './failures.ts';
import { generateContent } from './generate-content.ts';
import type { Asked, Protocol, Reply } from './protocol.ts';
import { responses } from './responses.ts';

/** What the service does with a request: answers, now or later; refuses the key; fails in a way of its own; or says nothing for ever. */
export type Decision = Reply | 'refuse' | 'hang' | Failure;

const PROTOCOLS: readonly Protocol[] = [anthropic, completions, generateContent, responses];

/** Answers what `decide` says; other paths are not found. `hungUp`: a client waits no longer for what is never answered. */
export function modelHandler(
  decide: (asked: Asked) => Decision | Promise<Decision>,
  hungUp: () => void = () => undefined,
): RequestListener {
  let answered = 0;
  return (request, response) => {
    void read(request).then(async (body) => {
      const path = request.url ?? '';
      const protocol = PROTOCOLS.find((one) => one.serves(path.replace(/\?.*/, '')));
      if (path.includes('ount')) return json(response, 200, { input_tokens: 10, totalTokens: 10 });
      if (protocol === undefined || request.method !== 'POST')
        return json(response, 404, { error: { message: 'not here' } });
      const asked = protocol.read(JSON.parse(body), path);
      const decision = await decide(asked);
      if (decision === 'hang') return void response.once('close', hungUp);
      if (decision === 'refuse') return json(response, 401, protocol.refusal);
      if (decision === 'cut') return void response.destroy();
      if ('stream' in decision)
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(decision.stream);
      if ('status' in decision) {
        for (const [name, value] of Object.entries(decision.headers)) response.setHeader(name, value);
        return json(response, decision.status, decision.body);
      }
      const id = `${Date.now()}${answered++}`;
      if (!asked.stream) return json(response, 200, protocol.whole(asked, decision, id));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(protocol.stream(asked, decision, id));
    });
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
