// Web Push: notifications of the browsers in which somebody pressed "Notify in this browser" on the page (RFC 8030).
import { defineChannel } from '../model/channel/channel.ts';
import { lazyChannel } from './shared/lazy-channel.ts';
import { webPushSchema } from './webpush/settings.ts';

export const webpush = defineChannel({
  type: 'webpush',
  schema: webPushSchema,
  audience: 'people',
  // What is over is changed, and goes by itself: a browser has to show each message that it is sent.
  capabilities: { update: true, receive: true, buttons: true, priority: true, idempotent: true },
  answeredWhere: 'in the browser',
  onResolved: 'update',
  limits: () => ({ concurrency: 2, minIntervalMs: 0, timeoutMs: 15_000 }),
  open: (settings, tools) =>
    lazyChannel(async () => (await import('./webpush/open.ts')).openWebPush(settings, tools), ['update', 'receive']),
  check: async (settings, tools) => (await import('./webpush/check.ts')).checkWebPush(settings, tools),
  browsers: async () => (await import('./webpush/browsers.ts')).browsers,
  defaultSettings: null,
  setup: {
    intro: [
      'First run `belfry dashboard` in another terminal, open Channels and press "Notify in this browser".',
      'The test message then arrives in each browser where you did that.',
    ],
    questions: [
      {
        key: 'subject',
        ask: 'How push services can reach you',
        help: 'For example mailto:me@example.com; the push service of Safari wants one that exists.',
        optional: true,
      },
    ],
  },
  docs: {
    summary: 'Notifications of browsers, by Web Push: press "Notify in this browser" on the page',
    example: 'type = "webpush"\nsubject = "mailto:me@example.com"',
  },
});
