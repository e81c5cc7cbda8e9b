// A local model service that uses tools: what the user's latest words ask for, then one text.
import { createServer } from 'node:http';
import { listen } from './listen.ts';

/** A tool that the model wants to use. */
export interface WantedTool {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** `prompts`: the latest words of each request that has tools, as the model reads them. */
export interface ToolModel {
  readonly url: string;
  readonly prompts: string[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
}
interface Asked {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

function streamed(model: string, block: { readonly type: string; readonly [key: string]: unknown }): string {
  const usage = { input_tokens: 10, output_tokens: 10 };
  const message = { id: `msg_${Date.now()}`, type: 'message', role: 'assistant', model, content: [], usage };
  const tool = block.type === 'tool_use';
  const start = tool ? { ...block, input: {} } : { type: 'text', text: '' };
  const delta = tool
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }
    : { type: 'text_delta', text: block['text'] };
  return [
    event('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } }),
    event('content_block_start', { index: 0, content_block: start }),
    event('content_block_delta', { index: 0, delta }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null }, usage }),
    event('message_stop', {}),
  ].join('');
}

/** What came since the model's last words: texts, and results of tools. */
function latest({ messages = [] }: Asked): { readonly all: string; readonly said: string } {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const blocks = messages
    .slice(from)
    .flatMap(({ content }): readonly Block[] =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    );
  // What was said after a tool's result counts, as after an interruption.
  const said = blocks.slice(blocks.findLastIndex(({ type }) => type === 'tool_result') + 1);
  return { all: textOf(blocks), said: textOf(said) };
}

const textOf = (blocks: readonly Block[]): string =>
  blocks.map((block) => block.text ?? JSON.stringify(block.content ?? '')).join('\n');

/** `choose`: the tool for what the user said; null: a text. Closed when the running test has finished. */
export async function startToolModel(choose: (text: string) => WantedTool | null): Promise<ToolModel> {
  const prompts: string[] = [];
  let used = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!request.url?.includes('/messages') || request.url.includes('count_tokens'))
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":10}');
      const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked;
      const { all, said } = latest(asked);
      const main = (asked.tools?.length ?? 0) > 0;
      if (main) prompts.push(all);
      const tool = main ? choose(said) : null;
      const block = tool
        ? { type: 'tool_use', id: `toolu_${Date.now()}_${used++}`, ...tool }
        : { type: 'text', text: 'That is done.' };
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed(asked.model ?? 'local', block));
    });
  });
  return { url: await listen(server), prompts };
}
