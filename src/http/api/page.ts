// How the page gets its token.
import * as z from 'zod';
import type { ApiEndpoint } from './endpoint.ts';

const none = z.strictObject({});

export const page = {
  'page.token': {
    summary: 'Exchanges the one-time code of `belfry dashboard` for a token of the page',
    params: none,
    query: none,
    body: z.strictObject({ code: z.string().min(1).max(200) }),
    result: z.object({ token: z.string(), idle_hours: z.number() }),
  },
  'page.proof': {
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
    result: z.object({
      proof: z.string().meta({
        description:
          'hexadecimal HMAC-SHA256 of `belfry page`, the nonce, the Host header and `serving`, one a line; its key is the SHA-256 of the token',
      }),
      serving: z.string().meta({
        description:
          'new each time Belfry begins to listen; until then the page sends `belfry_visit_`, its eight digits, `_` and the HMAC of `belfry visit`, the Host header and this in place of its token',
      }),
    }),
  },
  'page.key': {
    summary: 'Gives a page that was loaded again the key that it goes on with: the SHA-256 of its token',
    params: none,
    query: none,
    body: none,
    result: z.object({ key: z.string() }),
  },
  'page.leave': {
    summary: 'Signs this browser out: its token, its streams and its notifications end',
    params: none,
    query: none,
    body: none,
    result: z.object({ left: z.literal(true) }),
  },
} as const satisfies Readonly<Record<string, ApiEndpoint>>;
