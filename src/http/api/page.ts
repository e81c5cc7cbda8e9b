// How the page gets its token.
import * as z from 'zod';
import type { ApiEndpoint } from './endpoint.ts';

const none = z.strictObject({});

export const page = {
  'page.token': {
    summary: 'Exchanges the one-time code of `belfry dashboard` for a token of the page',
    ...{ params: none, query: none },
    body: z.strictObject({ code: z.string().min(1).max(200) }),
    result: z.object({ token: z.string(), idle_hours: z.number() }),
  },
  'page.proof': {
    summary: 'Shows a page that this is who let it in: it sends its token to nobody else',
    ...{ params: none, query: none },
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
    result: z.object({
      proof: z.string().meta({
        description:
          'hexadecimal HMAC-SHA256 of `belfry page`, the nonce and the Host header, one a line; its key is the SHA-256 of the token',
      }),
    }),
  },
  'page.leave': {
    summary: 'Signs this browser out: its token, its streams and its notifications end',
    ...{ params: none, query: none, body: none },
    result: z.object({ left: z.literal(true) }),
  },
} as const satisfies Readonly<Record<string, ApiEndpoint>>;
