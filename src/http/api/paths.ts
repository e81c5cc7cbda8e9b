// Method and path of everything below /api/v1. Apart from the schemas, so that the page's bundle holds no more than this.

/** `:name` stands for one segment, encoded. */
export const PATHS = {
  'sessions.list': 'GET /sessions',
  'sessions.get': 'GET /sessions/:key',
  'sessions.timeline': 'GET /sessions/:key/timeline',
  'sessions.reply': 'POST /sessions/:key/reply',
  'sessions.continue': 'POST /sessions/:key/continue',
  'sessions.focus': 'POST /sessions/:key/focus',
  'events.list': 'GET /events',
  'events.get': 'GET /events/:id',
  'notifications.list': 'GET /notifications',
  'notifications.ack': 'POST /notifications/:id/ack',
  'notifications.ackAll': 'POST /notifications/ack',
  'notifications.postpone': 'POST /notifications/:id/postpone',
  'questions.list': 'GET /questions',
  'questions.answer': 'POST /questions/:id/answer',
  'deliveries.list': 'GET /deliveries',
  'deliveries.replay': 'POST /deliveries/:id/replay',
  'channels.list': 'GET /channels',
  'channels.test': 'POST /channels/:name/test',
  'mutes.list': 'GET /mutes',
  'mutes.add': 'POST /mutes',
  'mutes.end': 'DELETE /mutes/:id',
  'mutes.endAll': 'DELETE /mutes',
  'rules.get': 'GET /rules',
  'rules.try': 'POST /rules/try',
  'rules.text': 'GET /rules/text',
  'rules.preview': 'POST /rules/preview',
  'rules.save': 'PUT /rules',
  'status.get': 'GET /status',
  'status.ifNow': 'GET /status/if-now',
  'rules.explain': 'GET /events/:id/explain',
  'events.why': 'GET /events/:id/why',
  'events.files': 'GET /events/:id/files',
  'service.get': 'GET /service/:resource/:method',
  'service.readiness': 'GET /service/readiness',
  'service.controls': 'GET /service/controls',
  'service.checkLimits': 'POST /service/limits/check',
  'service.setLimits': 'POST /service/limits',
  'page.token': 'POST /page/token',
  'page.code': 'POST /page/code',
  'page.proof': 'POST /page/proof',
  'page.key': 'GET /page/key',
  'page.leave': 'DELETE /page/token',
  'push.get': 'GET /push',
  'push.subscribe': 'POST /push/browsers',
  'push.unsubscribe': 'DELETE /push/browsers',
  'push.press': 'POST /push/press',
} as const;

/** An endpoint's name: its resource and what it does. */
export type EndpointName = keyof typeof PATHS;

/** Where the interface is mounted. */
export const BASE = '/api/v1';

/** The change feed as server-sent events; no endpoint, since its answer does not end. */
export const STREAM_PATH = `${BASE}/stream`;
