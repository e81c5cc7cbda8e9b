// Slack: an incoming webhook with Block Kit (docs.slack.dev, "Sending messages using incoming webhooks").
import * as z from 'zod';
import { checkUrl } from '../lib/net/check-url.ts';
import type { HttpResult } from '../lib/net/http.ts';
import { ALWAYS_RUN, urlRefinement } from '../lib/net/outbound-url-schema.ts';
import { defineChannel } from '../model/channel/channel.ts';
import type { Outcome } from '../model/delivery/delivery.ts';
import { classifyResponse, httpChannel } from './shared/http-channel.ts';
import { errorWordOf, slackMessage, slackReason } from './shared/slack.ts';

const schema = z
  .strictObject({ url: z.string().min(1).meta({ secret: true }).describe('URL of the incoming webhook (a secret).') })
  .superRefine(urlRefinement(true), ALWAYS_RUN);

export const slack = defineChannel({
  type: 'slack',
  schema,
  audience: 'people',
  capabilities: {}, // an incoming webhook neither changes nor removes what it posted
  onResolved: 'keep',
  limits: () => ({ concurrency: 1, minIntervalMs: 1_000, timeoutMs: 10_000 }),
  account: ({ url }) => ({ identity: [url], minIntervalMs: 1_000 }),
  open: (settings, tools) =>
    httpChannel({
      settings,
      tools,
      request: ({ content }) => ({
        method: 'POST',
        url: settings.url,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(slackMessage(content)),
      }),
      classify,
    }),
  check: (settings, { signal }) => checkUrl(settings.url, settings.allow_private, signal, '`url` in config.toml'),
  defaultSettings: null,
  setup: {
    intro: ['In Slack, create an app with an incoming webhook: https://api.slack.com/apps, then "Incoming Webhooks".'],
    questions: [{ key: 'url', ask: 'Webhook URL', help: 'It begins with https://hooks.slack.com/services/.' }],
  },
  docs: {
    summary: 'Posts to a Slack incoming webhook; abnormal ends have a red bar',
    example: 'type = "slack"\nurl = "env:SLACK_WEBHOOK_URL"',
  },
});

/** Slack's own error word goes before the status. */
function classify(end: HttpResult): Outcome {
  const word = end.kind === 'answer' ? errorWordOf(end.body) : null;
  const outcome = classifyResponse(end, word === null ? undefined : slackReason(word));
  return outcome.ok || word === null ? outcome : { ...outcome, error: `${outcome.error} (${word})` };
}
