// Google's generateContent.
import { latest, type Protocol, type Reply, type Said, textOf, TOKENS } from './protocol.ts';

interface Part {
  readonly text?: string;
  readonly functionResponse?: unknown;
}
interface Request {
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly contents?: readonly { readonly role?: string; readonly parts?: readonly Part[] }[];
}

function said({ contents = [] }: Request): Said[] {
  return contents.flatMap(({ role, parts = [] }): Said[] =>
    role === 'model'
      ? [{ by: 'model', text: '' }]
      : parts.map((part) =>
          part.functionResponse === undefined
            ? { by: 'user', text: textOf(part.text) }
            : { by: 'user', text: textOf(part.functionResponse), result: true },
        ),
  );
}

const partOf = (reply: Reply) =>
  'text' in reply ? { text: reply.text } : { functionCall: { name: reply.tool.name, args: reply.tool.input } };

const responseOf = (model: string, reply: Reply, id: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [partOf(reply)] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: TOKENS, candidatesTokenCount: TOKENS, totalTokenCount: 2 * TOKENS },
  modelVersion: model,
  responseId: id,
});

export const generateContent: Protocol = {
  serves: (path) => /:(streamG|g)enerateContent/.test(path),
  read: (body, path) => {
    const request = body as Request;
    return {
      model: /models\/([^:]+)/.exec(path)?.[1] ?? 'local',
      tools: (request.tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? []).map(({ name }) => name)),
      stream: path.includes(':stream'),
      ...latest(said(request)),
    };
  },
  stream: ({ model }, reply, id) => `data: ${JSON.stringify(responseOf(model, reply, id))}\r\n\r\n`,
  whole: ({ model }, reply, id) => responseOf(model, reply, id),
  refusal: {
    error: { code: 401, message: 'API key not valid. Please pass a valid API key.', status: 'UNAUTHENTICATED' },
  },
};
