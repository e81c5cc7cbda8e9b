// E-mail: hands each notification to a mail server, over TLS, in one thread for each session.
import * as z from 'zod';
import { checkUrl } from '../lib/check-url.ts';
import { type CheckResult, defineChannel } from '../model/channel.ts';
import { mailOf } from './email/mail.ts';
import { type MailServer, sendMail, serverUrl } from './email/send.ts';
import { asOutcome } from './shared/as-outcome.ts';
import { createOperations } from './shared/operations.ts';

const PORTS = { starttls: 587, tls: 465, none: 25 } as const;

/** `name@host`, or a name before it in angle brackets; one address only. */
const ADDRESS = /^(?:[^<>,;\r\n]{0,100}<[^\s@<>,;]{1,64}@[^\s@<>,;]{1,255}>|[^\s@<>,;]{1,64}@[^\s@<>,;]{1,255})$/;
const address = z.string().regex(ADDRESS, 'must be an address: name@example.com, or Name <name@example.com>');

const schema = z
  .strictObject({
    host: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{1,255}$/, 'must be the name of a server, without https:// or a port')
      .describe('The mail server to hand mail to.'),
    port: z.int().min(1).max(65_535).optional().describe('Its port: 587, 465 or 25 by `tls`.'),
    tls: z
      .enum(['starttls', 'tls', 'none'])
      .default('starttls')
      .describe('Encryption: `starttls` is required, not tried; `none` only to a server of your own.'),
    user: z.string().min(1).optional().describe('Name to sign in with.'),
    password: z.string().min(1).meta({ secret: true }).optional().describe('Its password (a secret).'),
    from: address.describe('The sender.'),
    to: z.union([address, z.array(address).min(1).max(50)]).describe('One address, or a list.'),
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), {
    path: ['password'],
    message: '`user` and `password` go together',
  });
type Settings = z.output<typeof schema>;

export const email = defineChannel({
  type: 'email',
  schema,
  audience: 'people',
  capabilities: { thread: true, priority: true }, // what was mailed can neither be changed nor taken back
  onResolved: 'keep',
  limits: () => ({ concurrency: 2, minIntervalMs: 0, timeoutMs: 30_000 }),
  open: (settings, tools) => {
    const running = createOperations();
    const to = [settings.to].flat();
    const server = serverOf(settings);
    const clean = withoutSignIn(settings);
    return {
      send: (message, context) =>
        running.run(context.signal, async (signal) => {
          const mail = asOutcome(() => mailOf(message, { from: settings.from, to }, tools.now()));
          if ('ok' in mail) return mail;
          const outcome = await sendMail(server, mail, context.timeoutMs, signal);
          return outcome.answer === undefined ? outcome : { ...outcome, answer: clean(outcome.answer) };
        }),
      close: running.close,
    };
  },
  check: async (settings, { signal }) => {
    const server = serverOf(settings);
    const findings: CheckResult[] = await checkUrl(serverUrl(server), server.allow_private, signal);
    if (settings.tls === 'none')
      findings.push({
        level: settings.password !== undefined && !server.allow_private ? 'fail' : 'warn',
        text: 'mail is handed over unencrypted',
        fix: 'set `tls` to "starttls" or "tls"',
      });
    return findings;
  },
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
  },
  docs: {
    summary: 'Sends mail, in one thread for each session',
    example:
      'type = "email"\nhost = "smtp.example.com"\nuser = "me@example.com"\npassword = "secret:mail"\nfrom = "Belfry <me@example.com>"\nto = "me@example.com"',
  },
});

function serverOf(settings: Settings & { readonly allow_private: boolean }): MailServer {
  return { ...settings, port: settings.port ?? PORTS[settings.tls] };
}

/** A server may say back what it was given to sign in, where user and password are encoded as one. */
function withoutSignIn({ user = '', password = '' }: Settings): (answer: string) => string {
  const plain = Buffer.from(`\0${user}\0${password}`).toString('base64');
  return (answer) => (password === '' ? answer : answer.replaceAll(plain, '[redacted]'));
}
