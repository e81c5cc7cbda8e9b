// How the page gets its token.
import * as z from 'zod';
import type { ApiEndpoint } from './endpoint.ts';

const none = z.strictObject({});

export const page = {
  'page.token': () => ({
    summary: 'Exchanges a one-time code, of `belfry dashboard` or of another tab, for a token of the page',
    params: none,
    query: none,
    body: z.strictObject({
      code: z.string().min(1).max(200),
      secret: z.string().min(32).max(200).optional().meta({ description: 'of a code that another tab was given' }),
    }),
    result: () => z.object({ token: z.string(), idle_hours: z.number() }),
  }),
  'page.code': () => ({
    summary:
      'Gives a page a one-time code for another tab of its browser: it is good for seconds, with a secret of that tab',
    params: none,
    query: none,
    body: z.strictObject({
      for: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .meta({ description: 'hexadecimal SHA-256 of the secret that the other tab keeps' }),
      pressed: z.boolean().default(false).meta({ description: 'somebody has said that the other tab is theirs' }),
    }),
    result: () =>
      z.object({
        code: z
          .string()
          .nullable()
          .meta({ description: 'null: it was given one already, or too many tabs ask at once' }),
        asks: z.boolean().meta({
          description:
            'there is no code until somebody presses for it: Belfry was started again since this page was let in, and the other tab may have been opened while another program had its address',
        }),
      }),
  }),
  'page.proof': () => ({
    summary: 'Shows a page that this is who let it in, before it sends anything else',
    params: none,
    query: none,
    body: z.strictObject({
      page: z
        .string()
        .regex(/^[0-9a-f]{8}$/)
        .meta({ description: 'the eight digits in the token' }),
      nonce: z
        .string()
        .regex(/^[0-9a-f]{32,128}$/)
        .meta({ description: 'random, used once' }),
    }),
    result: () =>
      z.object({
        proof: z.string().meta({
          description:
            'hexadecimal HMAC-SHA256 of `belfry page`, the nonce, the Host header and `serving`, one a line; its key is the SHA-256 of the token',
        }),
        serving: z.string().meta({
          description:
            'new each time Belfry begins to listen; until then the page sends `belfry_visit_`, its eight digits, `_` and the HMAC of `belfry visit`, the Host header and this in place of its token',
        }),
      }),
  }),
  'page.key': () => ({
    summary: 'Gives a page that was loaded again the key that it goes on with: the SHA-256 of its token',
    params: none,
    query: none,
    body: none,
    result: () => z.object({ key: z.string() }),
  }),
  'page.leave': () => ({
    summary: 'Signs this browser out: its token, its streams and its notifications end',
    params: none,
    query: none,
    body: none,
    result: () => z.object({ left: z.literal(true) }),
  }),
} as const satisfies Readonly<Record<string, () => ApiEndpoint>>;
