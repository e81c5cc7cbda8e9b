// OpenAI's chat completions.
import { latest, type Protocol, type Reply, type Said, textOf, TOKENS } from './protocol.ts';

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function?: { readonly name: string } }[];
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
}

const USAGE = { prompt_tokens: TOKENS, completion_tokens: TOKENS, total_tokens: 2 * TOKENS };

function said({ messages = [] }: Request): Said[] {
  return messages
    .filter(({ role }) => role !== 'system' && role !== 'developer')
    .map(({ role, content }) => ({
      by: role === 'assistant' ? 'model' : 'user',
      text: textOf(content),
      result: role === 'tool',
    }));
}

function messageOf(reply: Reply, id: string) {
  if ('text' in reply) return { role: 'assistant', content: reply.text };
  const { name, input } = reply.tool;
  const call = { index: 0, id: `call_${id}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return { role: 'assistant', content: null, tool_calls: [call] };
}

const finishReason = (reply: Reply): string => ('text' in reply ? 'stop' : 'tool_calls');

export const completions: Protocol = {
  serves: (path) => path.includes('/chat/completions'),
  read: (body) => {
    const request = body as Request;
    return {
      model: request.model ?? 'local',
      tools: (request.tools ?? []).map((tool) => tool.function?.name ?? ''),
      stream: request.stream === true,
      ...latest(said(request)),
    };
  },
  stream: ({ model }, reply, id) => {
    const chunk = (more: object): string =>
      `data: ${JSON.stringify({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1, model, ...more })}\n\n`;
    return [
      chunk({ choices: [{ index: 0, delta: messageOf(reply, id), finish_reason: null }] }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishReason(reply) }] }),
      chunk({ choices: [], usage: USAGE }),
      'data: [DONE]\n\n',
    ].join('');
  },
  whole: ({ model }, reply, id) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1,
    model,
    usage: USAGE,
    choices: [{ index: 0, message: messageOf(reply, id), finish_reason: finishReason(reply) }],
  }),
  refusal: { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
};
