// The settings of a Slack app.
import * as z from 'zod';
import { serviceUrl } from '../shared/service-url.ts';

/** The channel's own settings. */
export const slackAppSchema = z
  .strictObject({
    token: z.string().min(1).meta({ secret: true }).describe("The app's bot token; it begins with xoxb-."),
    app_token: z
      .string()
      .min(1)
      .meta({ secret: true })
      .optional()
      .describe("The app's own token, for buttons; it begins with xapp-."),
    channel: z
      .string()
      .regex(/^[CGD][A-Z0-9]{2,30}$/, 'must be the id of a channel, such as "C0123456789"')
      .optional()
      .describe('Id of the channel to post to.'),
    dm: z.email().max(254).optional().describe('E-mail address of the person to write to, instead of a channel.'),
    thread: z
      .enum(['session', 'none'])
      .default('session')
      .describe('`"session"`: one thread for each session; `"none"`: every message by itself.'),
    allow: z
      .array(z.string().regex(/^[UW][A-Z0-9]{2,30}$/, 'must be the id of a member, such as "U0123456789"'))
      .max(100)
      .optional()
      .describe(
        'Ids of the members who may press buttons. Without it, messages to a channel carry no answers, and anybody in your workspace who sees the message may press "Got it".',
      ),
    api_url: serviceUrl('https://slack.com/api', 'Address of the Web API.'),
  })
  .superRefine(({ channel, dm }, found) => {
    if (channel === undefined && dm === undefined)
      found.addIssue({ code: 'custom', path: ['channel'], message: 'is missing: give a channel, or `dm`' });
    if (channel !== undefined && dm !== undefined)
      found.addIssue({ code: 'custom', path: ['dm'], message: 'give either a channel or `dm`' });
  });
export type SlackAppSettings = z.output<typeof slackAppSchema> & { readonly allow_private: boolean };
