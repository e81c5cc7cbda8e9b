// Discord: a webhook with embeds (docs.discord.com, "Webhook Resource").
import * as z from 'zod';
import { checkUrl } from '../lib/net/check-url.ts';
import { ALWAYS_RUN, urlRefinement } from '../lib/net/outbound-url-schema.ts';
import { type CheckResult, defineChannel } from '../model/channel/channel.ts';
import { lazyChannel } from './shared/lazy-channel.ts';

const schema = z
  .strictObject({
    url: z.string().min(1).meta({ secret: true }).describe('URL of the webhook (a secret).'),
    thread: z
      .string()
      .regex(/^(?:session|\d{1,25})$/, 'must be "session" or the id of a thread, as a text')
      .optional()
      .describe('`"session"`: a thread for each session, in a forum; or the id of one thread.'),
  })
  .superRefine(urlRefinement(true), ALWAYS_RUN);

export const discord = defineChannel({
  type: 'discord',
  schema,
  audience: 'people',
  capabilities: { update: true, retract: true, thread: 'thread', priority: true },
  onResolved: 'update',
  limits: () => ({ concurrency: 1, minIntervalMs: 500, timeoutMs: 10_000 }), // 5 requests in 2 s a webhook
  account: ({ url }) => ({ identity: [url], minIntervalMs: 500 }),
  open: (settings, tools) =>
    lazyChannel(async () => (await import('./discord/open.ts')).openDiscord(settings, tools), ['update', 'retract']),
  check: async (settings, { signal }) => {
    const findings: CheckResult[] = await checkUrl(
      settings.url,
      settings.allow_private,
      signal,
      '`url` in config.toml',
    );
    const isWebhook = URL.canParse(settings.url) && /\/webhooks\/\d+\/[\w-]+\/?$/.test(new URL(settings.url).pathname);
    if (!isWebhook)
      findings.push({
        level: 'warn',
        text: 'the URL does not look like that of a webhook',
        fix: 'copy it from the channel: Edit Channel, Integrations, Webhooks, Copy Webhook URL',
      });
    return findings;
  },
  defaultSettings: null,
  setup: {
    intro: [
      'In Discord, open the channel you want: Edit Channel, Integrations, Webhooks, New Webhook, Copy Webhook URL.',
    ],
    questions: [
      { key: 'url', ask: 'Webhook URL', help: 'It begins with https://discord.com/api/webhooks/.' },
      {
        key: 'thread',
        ask: 'Thread',
        help: 'In a forum, "session" makes a thread for each session; the id of a thread posts there. Empty: the channel itself.',
        optional: true,
      },
    ],
  },
  docs: {
    summary: 'Posts to a Discord webhook, and changes what it posted',
    example: 'type = "discord"\nurl = "env:DISCORD_WEBHOOK_URL"',
  },
});
