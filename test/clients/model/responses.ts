// OpenAI's Responses.
import { latest, type Protocol, type Reply, type Said, textOf, TOKENS } from './protocol.ts';

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name?: string; readonly type?: string }[];
  readonly input?: readonly {
    readonly type?: string;
    readonly role?: string;
    readonly content?: unknown;
    readonly output?: unknown;
  }[];
}

const USAGE = { input_tokens: TOKENS, output_tokens: TOKENS, total_tokens: 2 * TOKENS };

function said({ input = [] }: Request): Said[] {
  return input.flatMap((item): Said[] => {
    if (item.type?.endsWith('_output')) return [{ by: 'user', text: textOf(item.output), result: true }];
    if (item.role === 'user') return [{ by: 'user', text: textOf(item.content) }];
    return item.role === 'assistant' || item.type?.endsWith('_call') ? [{ by: 'model', text: '' }] : [];
  });
}

function itemOf(reply: Reply, id: string) {
  if ('tool' in reply) {
    const { input, ...named } = reply.tool;
    return { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, ...named, arguments: JSON.stringify(input) };
  }
  const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
  return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
}

const responseOf = (model: string, reply: Reply, id: string) => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: 1,
  status: 'completed',
  model,
  output: [itemOf(reply, id)],
  usage: USAGE,
});

export const responses: Protocol = {
  serves: (path) => path.endsWith('/responses'),
  read: (body) => {
    const request = body as Request;
    return {
      model: request.model ?? 'local',
      tools: (request.tools ?? []).map(({ name, type }) => name ?? type ?? ''),
      stream: request.stream === true,
      ...latest(said(request)),
    };
  },
  stream: ({ model }, reply, id) => {
    const event = (type: string, data: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    const response = responseOf(model, reply, id);
    return [
      event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
      event('response.output_item.done', { output_index: 0, item: itemOf(reply, id) }),
      event('response.completed', { response }),
    ].join('');
  },
  whole: ({ model }, reply, id) => responseOf(model, reply, id),
  refusal: { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
};
