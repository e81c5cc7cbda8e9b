// GET /metrics.
import type { HttpRoute } from '../../http/route.ts';
import type { Metrics } from './prometheus-metrics.ts';

/** Open on loopback, as scrapers there have no token. */
export function metricsRoute(metrics: Metrics): HttpRoute {
  return {
    method: 'GET',
    path: '/metrics',
    name: 'metrics',
    handle: async () => {
      const { contentType, text } = await metrics.render();
      return { status: 200, headers: { 'content-type': contentType }, body: text };
    },
  };
}
