// Anthropic's Messages.
import { latest, type Protocol, type Reply, type Said, textOf, TOKENS } from './protocol.ts';

interface Block {
  readonly type: string;
}
interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

const USAGE = { input_tokens: TOKENS, output_tokens: TOKENS };
const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

const blockOf = (reply: Reply, id: string) =>
  'text' in reply ? { type: 'text', text: reply.text } : { type: 'tool_use', id: `toolu_${id}`, ...reply.tool };

const stopReason = (reply: Reply): string => ('text' in reply ? 'end_turn' : 'tool_use');

function said({ messages = [] }: Request): Said[] {
  return messages.flatMap(({ role, content }): Said[] => {
    if (role === 'assistant') return [{ by: 'model', text: '' }];
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return blocks.map((block) => ({ by: 'user', text: textOf([block]), result: block.type === 'tool_result' }));
  });
}

export const anthropic: Protocol = {
  serves: (path) => path.includes('/messages') && !path.includes('count_tokens'),
  read: (body) => {
    const request = body as Request;
    return {
      model: request.model ?? 'local',
      tools: (request.tools ?? []).map(({ name }) => name),
      stream: request.stream === true,
      ...latest(said(request)),
    };
  },
  stream: ({ model }, reply, id) => {
    const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], usage: USAGE };
    const block = blockOf(reply, id);
    const [start, delta] =
      'text' in reply
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: reply.text },
          ]
        : [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(reply.tool.input) },
          ];
    return [
      event('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } }),
      event('content_block_start', { index: 0, content_block: start }),
      event('content_block_delta', { index: 0, delta }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: stopReason(reply), stop_sequence: null }, usage: USAGE }),
      event('message_stop', {}),
    ].join('');
  },
  whole: ({ model }, reply, id) => ({
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [blockOf(reply, id)],
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: USAGE,
  }),
  refusal: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
};
