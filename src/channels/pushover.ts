// Pushover: push messages, and emergencies that repeat until somebody acknowledges them (pushover.net/api).
import * as z from 'zod';
import { defineChannel } from '../model/channel/channel.ts';
import { lazyChannel } from './shared/lazy-channel.ts';
import { serviceUrl } from './shared/service-url.ts';

const schema = z.strictObject({
  token: z.string().min(1).meta({ secret: true }).describe('API token of your application (a secret).'),
  user: z.string().min(1).meta({ secret: true }).describe('Your user key, or that of a group (a secret).'),
  emergency: z
    .boolean()
    .default(false)
    .describe('Repeat urgent ones every minute for an hour, until somebody acknowledges them.'),
  api_url: serviceUrl('https://api.pushover.net/1', 'Address of the interface.'),
});

export const pushover = defineChannel({
  type: 'pushover',
  schema,
  audience: 'people',
  // What is removed is the alarm: the message stays on the phone.
  capabilities: { retract: 'emergency', receive: 'emergency', buttons: 'emergency', priority: true },
  answeredWhere: 'in Pushover',
  onResolved: 'remove',
  limits: () => ({ concurrency: 1, minIntervalMs: 500, timeoutMs: 10_000 }), // two connections at once are allowed
  account: ({ api_url: api, token }) => ({ identity: [api, token], minIntervalMs: 500 }),
  open: (settings, tools) =>
    lazyChannel(
      async () => (await import('./pushover/open.ts')).openPushover(settings, tools),
      settings.emergency ? ['retract', 'receive'] : [],
    ),
  check: async (settings, tools) => (await import('./pushover/check.ts')).checkPushover(settings, tools),
  defaultSettings: null,
  setup: {
    intro: ['Install the Pushover app, then create an application: https://pushover.net/apps/build.'],
    questions: [
      { key: 'token', ask: 'API token', help: 'Of the application that you created.' },
      { key: 'user', ask: 'User key', help: 'On https://pushover.net, at the top right.' },
    ],
  },
  docs: {
    summary: 'Push messages by Pushover; emergencies repeat until they are acknowledged on the phone or here',
    quota: '10,000 a month for each account',
    example: 'type = "pushover"\ntoken = "env:PUSHOVER_TOKEN"\nuser = "env:PUSHOVER_USER"\nemergency = true',
  },
});
