// A Teams workflow on a free port: takes what the trigger takes, and refuses cards that the schema of Adaptive Cards 1.4 does not allow (adaptivecards.io/explorer).
import * as z from 'zod';
import { type Receiver, startReceiver } from './receiver.ts';

export const PATH = '/workflows/0a1b2c3d4e5f/triggers/manual/paths/invoke';
export const SIGNATURE = 'p9Qz7R2mKx4TnV6bYc8WdL1sJ3hF5gA0eUiOoPqXzNM';
export const QUERY = `?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${SIGNATURE}`;

const run = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string().min(1),
  color: z.enum(['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention']).optional(),
  isSubtle: z.boolean().optional(),
  size: z.enum(['Default', 'Small', 'Medium', 'Large', 'ExtraLarge']).optional(),
  weight: z.enum(['Default', 'Lighter', 'Bolder']).optional(),
});
const block = z.strictObject({
  type: z.literal('RichTextBlock'),
  inlines: z.array(run).min(1),
  spacing: z.enum(['Default', 'None', 'Small', 'Medium', 'Large', 'ExtraLarge', 'Padding']).optional(),
});
const card = z.strictObject({
  $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  type: z.literal('AdaptiveCard'),
  version: z.literal('1.4'),
  body: z.array(block).min(1),
  msteams: z.strictObject({ width: z.literal('Full') }), // Teams' own addition
});
const message = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: card,
    }),
  ]),
});

export type Card = z.output<typeof card>;

/** The text of each element, as it is shown. */
export const linesOf = ({ body }: Card): string[] =>
  body.map(({ inlines }) => inlines.map(({ text }) => text).join(''));

export async function startTeams(): Promise<Receiver & { readonly cards: Card[] }> {
  const receiver = await startReceiver();
  const cards: Card[] = [];
  receiver.answer = ({ method, path, headers, body }) => {
    if (path !== PATH + QUERY) return { status: 401, body: '{"error":{"code":"DirectApiAuthorizationRequired"}}' };
    if (method !== 'POST' || !/^application\/json/.test(headers['content-type'] ?? '')) return 400;
    if (Buffer.byteLength(body) > 28 * 1024) return 413;
    const read = message.safeParse(JSON.parse(body));
    if (!read.success)
      return { status: 400, body: JSON.stringify({ error: { code: 'InvalidCard', at: read.error.issues[0]?.path } }) };
    cards.push(read.data.attachments[0].content);
    return 202;
  };
  return Object.assign(receiver, { cards });
}
