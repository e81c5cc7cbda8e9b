// Microsoft Teams: an Adaptive Card, posted to the URL of a workflow (learn.microsoft.com, "Create incoming webhooks with Workflows").
import * as z from 'zod';
import { checkUrl } from '../lib/net/check-url.ts';
import { ALWAYS_RUN, urlRefinement } from '../lib/net/outbound-url-schema.ts';
import { type CheckResult, defineChannel } from '../model/channel/channel.ts';
import { lazyChannel } from './shared/lazy-channel.ts';

const schema = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .meta({ secret: true })
      .describe(
        'URL of the workflow (a secret). Its answer 202 means that the workflow was started, not that the card is shown: a failed run is seen only in its history in Teams.',
      ),
  })
  .superRefine(urlRefinement(true), ALWAYS_RUN);

/** Connectors were switched off in 2026. */
const CONNECTOR = /(?:^|\.)(?:webhook\.office\.com|outlook\.office\.com)$/i;

export const teams = defineChannel({
  type: 'teams',
  schema,
  audience: 'people',
  capabilities: {}, // a workflow returns nothing by which a card could be changed
  onResolved: 'keep',
  limits: () => ({ concurrency: 1, minIntervalMs: 500, timeoutMs: 15_000 }), // four a second at most
  account: ({ url }) => ({ identity: [url], minIntervalMs: 500 }),
  open: (settings, tools) => lazyChannel(async () => (await import('./teams/open.ts')).openTeams(settings, tools), []),
  check: async (settings, { signal }) => {
    const findings: CheckResult[] = await checkUrl(
      settings.url,
      settings.allow_private,
      signal,
      '`url` in config.toml',
    );
    if (URL.canParse(settings.url) && CONNECTOR.test(new URL(settings.url).hostname))
      findings.push({
        level: 'fail',
        text: 'the URL is that of an Office connector, which Microsoft has switched off',
        fix: 'in Teams, create a workflow "Send webhook alerts to a channel" and set its URL',
      });
    return findings;
  },
  defaultSettings: null,
  setup: {
    intro: [
      'In Teams, open the menu of the channel you want: Workflows, "Send webhook alerts to a channel", and copy the URL.',
    ],
    questions: [{ key: 'url', ask: 'URL of the workflow', help: 'It has a long query that ends in a signature.' }],
    beforeTest: () => [
      'Look into Teams whether the message is there: a workflow accepts it before it tries to post it.',
    ],
  },
  docs: {
    summary: 'Posts Adaptive Cards to a Teams channel or chat by a workflow',
    example: 'type = "teams"\nurl = "secret:teams"',
  },
});
