// The messages of a session: read them, post one (sections 2.11 and 4.5 of docs/contributing/service-interface.md).
import * as z from 'zod';
import { cursorPages, pagination } from './cursor-pages.ts';
import { endpoint } from './endpoint.ts';
import { count, id, json, loose, maybe, none, pathId, word } from './fields.ts';

const block = loose({
  type: maybe(word('text')),
  text: maybe(z.string()),
  id: maybe(z.string()),
});

const message = loose({
  id: z.string(),
  role: word('user', 'assistant', 'tool', 'system'),
  content: z.array(block),
  createdAt: z.number(),
  updatedAt: z.number(),
  parentId: maybe(z.string()),
  visibility: maybe(word('both', 'llm_only', 'user_only')),
  vendorAMessageId: maybe(z.string()),
  vendorAEncryptedContent: maybe(z.string()),
  vendorAReasoningId: maybe(z.string()),
  vendorAReasoningSummary: maybe(z.string()),
  vendorBThoughtSignature: maybe(z.string()),
  chatCompletionReasoningContent: maybe(z.string()),
  vendorAPhase: maybe(word('commentary', 'final_answer')),
  chatCompletionReasoningField: maybe(word('reasoning', 'reasoning_content')),
  isUserVisible: maybe(z.boolean()),
  isError: maybe(z.boolean()),
});

const page = loose({
  messages: z.array(message),
  pagination,
});

const base64 = z.base64('must be base64');

const image = z.strictObject({
  type: z.literal('base64'),
  data: base64,
  mediaType: z.string().regex(/^image\/[\w.+-]+$/, 'must be an image media type such as image/png'),
});

const file = z.strictObject({
  type: z.literal('base64'),
  mediaType: z.string(),
  data: base64,
  parsedData: z.string(),
  name: z.string(),
  path: z.string(),
});

const shared = {
  host: 'base',
  failures: [],
  error: json,
  role: 'any',
  auth: 'key-or-jwt',
  section: '4.5',
  status: 200,
} as const;
const columns = ['createdAt', 'role', 'id', 'content'] as const;

/** A block's text, or its type and the name of what it holds. */
export function blockInWords(part: z.output<typeof block>): string {
  if (typeof part.text === 'string') return part.text;
  const { name } = part;
  return `[${part.type ?? 'block'}${typeof name === 'string' ? ` ${name}` : ''}]`;
}

const blocksInWords = (value: unknown): string => z.array(block).parse(value).map(blockInWords).join('\n');

/** More of `client.sessions` and `belfry api sessions`. */
export const messages = {
  messages: endpoint({
    ...shared,
    method: 'GET',
    path: '/api/v0/sessions/{sessionId}/messages',
    params: z.strictObject({ sessionId: pathId }),
    query: z.strictObject({
      limit: count(1, 100).optional(),
      cursor: id.optional().meta({ description: 'where to go on, as the page before said' }),
      computerId: id.optional().meta({ description: 'that computer directly, not the session’s own' }),
      role: z.enum(['user', 'assistant', 'tool']).optional(),
    }),
    body: none,
    result: page,
    repeat: 'any-fault',
    rows: 'messages',
    time: { field: 'createdAt', newestFirst: false },
    columns,
    rest: { column: 'content', lines: 3 },
    show: { content: blocksInWords },
    pages: cursorPages('id'),
    summary: 'The messages of a session, in pages.',
  }),
  message: endpoint({
    ...shared,
    method: 'GET',
    path: '/api/v0/sessions/{sessionId}/messages/{messageId}',
    params: z.strictObject({ sessionId: pathId, messageId: pathId }),
    query: z.strictObject({
      computerId: id.optional().meta({ description: 'that computer directly, not the session’s own' }),
    }),
    body: none,
    result: message,
    repeat: 'any-fault',
    columns,
    show: { content: blocksInWords },
    summary: 'One message of a session.',
  }),
  send: endpoint({
    ...shared,
    method: 'POST',
    path: '/api/v0/sessions/{sessionId}/messages',
    params: z.strictObject({ sessionId: pathId }),
    query: none,
    body: z.strictObject({
      text: z.string(),
      images: z.array(image).optional().meta({ flag: 'image' }),
      files: z.array(file).optional().meta({ flag: 'file' }),
      computerId: id.optional().meta({ description: 'that computer directly, not the session’s own' }),
    }),
    result: loose({ messageId: z.string(), status: word('idle', 'pending', 'running') }),
    repeat: 'never',
    columns: ['messageId', 'status'],
    summary: 'Posts a user’s message to a session, with images and files.',
  }),
};
