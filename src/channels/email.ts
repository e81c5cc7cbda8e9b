// E-mail: hands each notification to a mail server, over TLS, in one thread for each session.
import { defineChannel } from '../model/channel/channel.ts';
import { emailSchema } from './email/settings.ts';
import { lazyChannel } from './shared/lazy-channel.ts';

export const email = defineChannel({
  type: 'email',
  schema: emailSchema,
  audience: 'people',
  capabilities: { thread: true, priority: true }, // what was mailed can neither be changed nor taken back
  onResolved: 'keep',
  limits: () => ({ concurrency: 2, minIntervalMs: 0, timeoutMs: 30_000 }),
  open: (settings, tools) => lazyChannel(async () => (await import('./email/open.ts')).openEmail(settings, tools), []),
  check: async (settings, { signal }) => (await import('./email/check.ts')).checkEmail(settings, signal),
  defaultSettings: null,
  setup: {
    intro: ['You need the mail server that your mail program sends with, and where it asks for it an app password.'],
    questions: [
      { key: 'host', ask: 'Mail server', help: 'For example smtp.example.com.' },
      { key: 'tls', ask: 'Encryption: starttls, tls or none', suggest: () => 'starttls' },
      {
        key: 'port',
        ask: 'Port',
        help: '587 for starttls, 465 for tls unless your provider says otherwise.',
        optional: true,
      },
      { key: 'user', ask: 'User name', optional: true },
      { key: 'password', ask: 'Password', when: (answers) => answers['user'] !== undefined },
      { key: 'from', ask: 'Sender', help: 'An address that the server lets you send from.' },
      { key: 'to', ask: 'Recipient', help: 'One address, or a list: ["a@example.com", "b@example.com"].' },
    ],
    hosts: ({ host }) => (typeof host === 'string' ? [host] : []),
  },
  docs: {
    summary: 'Sends mail, in one thread for each session',
    example:
      'type = "email"\nhost = "smtp.example.com"\nuser = "me@example.com"\npassword = "secret:mail"\nfrom = "Belfry <me@example.com>"\nto = "me@example.com"',
  },
});
