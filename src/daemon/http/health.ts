// GET /health/live and /health/ready: the process answers; it can accept events.
import { jsonReply, problemReply } from '../../http/problem.ts';
import type { HttpRoute } from '../../http/route.ts';

/** `notReady`: why no events can be accepted; null: they can. Any token may ask. */
export function healthRoutes(notReady: () => string | null): readonly HttpRoute[] {
  const common = { method: 'GET' } as const;
  const live = { ...common, name: 'live', handle: async () => jsonReply(200, { status: 'live' }) } as const;
  const ready: Omit<HttpRoute, 'path'> = {
    ...common,
    name: 'ready',
    handle: async () => {
      const why = notReady();
      return why === null ? jsonReply(200, { status: 'ready' }) : problemReply(503, why, { 'retry-after': '5' });
    },
  };
  return ['', '/api/v1'].flatMap((base) => [
    { ...live, path: `${base}/health/live` },
    { ...ready, path: `${base}/health/ready` },
  ]);
}
