// How the page gets its token.
import * as z from 'zod';
import type { ApiEndpoint } from './endpoint.ts';

const none = z.strictObject({});

export const page = {
  'page.token': {
    summary: 'Exchanges the one-time code of `belfry dashboard` for a token that reads, acknowledges and answers',
    ...{ scopes: [], params: none, query: none, openOnLoopback: true },
    body: z.strictObject({ code: z.string().min(1).max(200) }),
    result: z.object({ token: z.string(), idle_hours: z.number() }),
  },
} as const satisfies Readonly<Record<string, ApiEndpoint>>;
