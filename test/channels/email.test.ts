// E-mail: what a mail server is handed and a mailbox shows, which refusals are final, and when a mail may have arrived.
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { email } from '../../src/channels/email.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { cutGraphemes, escapeXml, oneLine, plainText } from '../../src/lib/text/text.ts';
import { deliver, eventOf, messageOf, testChannel, toolsOf } from '../contracts/channel.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/wait.ts';
import {
  type MailServerCase,
  PASSWORD,
  readMail,
  type Step,
  startAcceptingServer,
  startMailServer,
  USER,
} from './mail-server.ts';

const settings = (port: number, more: object = {}) => ({
  host: '127.0.0.1',
  port,
  tls: 'none',
  allow_private: true,
  from: 'Belfry <me@example.com>',
  to: 'me@example.com',
  ...more,
});
const SIGN_IN = { user: USER, password: PASSWORD };
const WITH_AUTH = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true, authOptional: false };

/** Settings for a server that is like this, and what it keeps. */
async function started(given: MailServerCase = {}, more: object = {}) {
  const server = await startMailServer(given);
  return { ...server, input: settings(server.port, more) };
}

/** A port where raw bytes are said, and nothing is understood. */
async function rawServer(greeting: string | null): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (greeting !== null) socket.write(greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

testChannel({
  channel: email,
  input: {
    host: 'smtp.example.com',
    user: 'me',
    password: 'env:MAIL_PASSWORD',
    from: 'a@example.com',
    to: ['b@example.com'],
  },
  unreachable: async () => ({ input: settings(await freePort(), SIGN_IN), secrets: [PASSWORD] }),
  works: async () => {
    const { port, arrived } = await startAcceptingServer();
    return { input: settings(port), arrived };
  },
  hangs: () => started({ ending: 'hang' }),
});

describe('a mail', () => {
  test('is text and HTML, in its session’s thread, and asks for no automatic answer', async () => {
    const { input, mails } = await started(
      { options: WITH_AUTH },
      { ...SIGN_IN, to: ['a@example.com', 'B <b@example.com>'] },
    );
    const messages = [{ role: 'user', text: 'Fix <the> tests.', at: null, from: 'input' }] as const;
    const message = messageOf({
      title: 'payments: “done” in 12 min',
      body: 'All <b>tests</b> pass & more.',
      context: { messages },
    });
    expect(await deliver(email, input, message)).toEqual({ ok: true, answer: '250 queued' });
    expect(mails).toMatchObject([{ from: 'me@example.com', to: ['a@example.com', 'b@example.com'], user: USER }]);
    const { headers, text, html } = readMail(mails[0]?.raw ?? '');
    expect(headers).toMatchObject({
      from: 'Belfry <me@example.com>',
      to: 'a@example.com, B <b@example.com>',
      subject: 'payments: “done” in 12 min',
      'message-id': expect.stringMatching(/^<[0-9a-f]{32}@example\.com>$/),
      references: expect.stringMatching(/^<session-[0-9a-f]{32}@example\.com>$/),
      'in-reply-to': headers['references'],
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
    });
    expect(text).toBe(
      'All <b>tests</b> pass & more.\n\nYou: Fix <the> tests.\n\n-- \ntester · box · /home/dev/project · main',
    );
    expect(html).toContain('All &lt;b&gt;tests&lt;/b&gt; pass &amp; more.');
    expect(html).toContain('<b>You:</b> Fix &lt;the&gt; tests.');
  });

  test('keeps its id on a second attempt, and its thread in the session', async () => {
    const { input, mails } = await started();
    const of = (id: string, threadKey: string) => messageOf({}, { id, threadKey });
    for (const message of [of('dlv_1', 'a'), of('dlv_1', 'a'), of('dlv_2', 'a'), of('dlv_3', 'b')])
      expect(await deliver(email, input, message)).toMatchObject({ ok: true });
    const read = mails.map(({ raw }) => readMail(raw).headers);
    const ids = read.map((headers) => headers['message-id']);
    const threads = read.map((headers) => headers['references']);
    expect([ids[0] === ids[1], new Set(ids).size]).toEqual([true, 3]);
    expect([threads[0] === threads[2], new Set(threads).size]).toEqual([true, 2]);
  });

  test.each([
    [{ urgency: 'urgent' }, 'High'],
    [{ urgency: 'normal', abnormal: true }, 'High'],
    [{ urgency: 'normal' }, 'Normal'],
    [{ urgency: 'low' }, 'Low'],
  ] as const)('%j has importance %s', async (more, importance) => {
    const { input, mails } = await started();
    await deliver(email, input, messageOf(more));
    expect(readMail(mails[0]?.raw ?? '').headers['importance'] ?? 'Normal').toBe(importance);
  });

  test('far too long is cut', async () => {
    const { input, mails } = await started();
    const long = '👩‍👩‍👧‍👦 word '.repeat(60_000);
    await deliver(email, input, messageOf({ title: long, body: long, event: eventOf({ cwd: long }) }));
    const { headers, text } = readMail(mails[0]?.raw ?? '');
    expect(headers['subject']?.length).toBeLessThanOrEqual(200);
    expect(text.length).toBeLessThan(21_000);
    expect(text).toMatch(/…/);
  });

  test('hostile text is text, in the subject too', async () => {
    const { input, mails } = await started();
    const tools = toolsOf();
    const texts = [...hostile, 'x\r\nBcc: thief@example.com', 'x\n\nbody', '=?utf-8?q?=41?='];
    const byId = new Map(texts.map((text, i) => [`dlv_${i}`, text]));
    const send = async ([id, text]: [string, string]): Promise<void> => {
      const event = eventOf({ cwd: text, branch: text, agent: id });
      const message = messageOf({ title: text, body: text, event }, { id });
      expect(await deliver(email, input, message, tools)).toMatchObject({ ok: true });
    };
    const waiting = [...byId];
    while (waiting.length > 0) await Promise.all(waiting.splice(0, 40).map(send));
    expect(mails).toHaveLength(texts.length);
    for (const { to, raw } of mails) {
      const read = readMail(raw);
      const text = byId.get(/\n-- \n(dlv_\d+)/.exec(read.text)?.[1] ?? '') ?? 'none';
      expect(to).toEqual(['me@example.com']);
      expect(Object.keys(read.headers)).not.toContain('bcc');
      if (!text.includes('=?')) expect(read.headers['subject']).toBe(cutGraphemes(oneLine(text), 200) || 'Belfry');
      expect(read.text.startsWith(plainText(text).trim())).toBe(true);
      expect(read.html).toContain(escapeXml(plainText(text).trim()));
    }
  });
});

describe('a refusal', () => {
  test.each<[Step, number, object]>([
    ['connect', 421, { reason: 'server' }],
    ['connect', 554, { reason: 'invalid-config' }],
    ['auth', 454, { reason: 'server' }],
    [
      'auth',
      535,
      { reason: 'auth', error: '127.0.0.1 answered 535: it refused the sign-in; check `user` and `password`' },
    ],
    ['mail', 451, { reason: 'server' }],
    ['mail', 550, { reason: 'invalid-config' }],
    ['mail', 552, { reason: 'client' }],
    ['rcpt', 450, { reason: 'server' }],
    ['rcpt', 451, { reason: 'server' }],
    [
      'rcpt',
      550,
      { reason: 'invalid-config', error: '127.0.0.1 answered 550: it knows none of the recipients; check `to`' },
    ],
    ['rcpt', 553, { reason: 'invalid-config' }],
    ['data', 451, { reason: 'server' }],
    ['data', 452, { reason: 'server' }],
    ['data', 550, { reason: 'client' }],
    ['data', 552, { reason: 'client' }],
    ['data', 554, { reason: 'client' }],
  ])('%s %i', async (at, code, expected) => {
    const { input, mails } = await started(
      { refuse: { at, code }, options: at === 'auth' ? WITH_AUTH : {} },
      at === 'auth' ? SIGN_IN : {},
    );
    const outcome = await deliver(email, input, messageOf());
    expect(outcome).toMatchObject({ ok: false, status: code, ...expected });
    expect(outcome).not.toHaveProperty('unknown');
    expect(mails).toHaveLength(0);
  });

  test.each(['mail', 'data'] as const)('a used-up quota at %s', async (at) => {
    const { input } = await started({ refuse: { at, code: 550, text: '5.4.5 Daily user sending limit exceeded.' } });
    expect(await deliver(email, input, messageOf())).toMatchObject({ ok: false, reason: 'quota', status: 550 });
  });

  test.each([
    [450, { ok: true, answer: expect.stringMatching(/^not accepted for b@example\.com: 450 later; 250 queued$/) }],
    [550, { ok: true, answer: expect.stringMatching(/^not accepted for b@example\.com: 550 later; 250 queued$/) }],
  ])('%i for one of two: the other gets it, and the attempt says who does not', async (code, expected) => {
    const refuse = { at: 'rcpt', code, text: 'later', only: 'b@example.com' } as const;
    const { input, mails } = await started({ refuse }, { to: ['a@example.com', 'b@example.com'] });
    expect(await deliver(email, input, messageOf())).toEqual(expected);
    expect(mails.map(({ to }) => to)).toEqual([['a@example.com']]);
  });

  test('of wrong credentials says no password, however the server says it back', async () => {
    const { input } = await started({ options: WITH_AUTH }, { ...SIGN_IN, password: 'wrong, and secret' });
    const outcome = await deliver(email, input, messageOf());
    expect(outcome).toMatchObject({ ok: false, reason: 'auth', answer: '535 no [redacted]' });
    const encoded = Buffer.from(`\0${USER}\0${PASSWORD}`).toString('base64');
    const echo = await started(
      { refuse: { at: 'auth', code: 535, text: `bad ${encoded}` }, options: WITH_AUTH },
      SIGN_IN,
    );
    expect(await deliver(email, echo.input, messageOf())).toMatchObject({ answer: '535 bad [redacted]' });
  });

  test.each([
    ['no STARTTLS', { tls: 'starttls' }, 'invalid-config', /does not offer STARTTLS/],
    ['no TLS', { tls: 'tls' }, 'network', /127\.0\.0\.1/],
  ])('%s where it is wanted: nothing is sent', async (_name, more, reason, error) => {
    const { input, mails } = await started({}, more);
    const outcome = await deliver(email, input, messageOf());
    expect(outcome).toMatchObject({ ok: false, reason });
    if (!outcome.ok) expect(outcome.error).toMatch(error);
    expect(mails).toHaveLength(0);
  });

  test('a server that wants no sign-in is given no password', async () => {
    const { input, mails } = await started({}, SIGN_IN);
    expect(await deliver(email, input, messageOf())).toMatchObject({ ok: true });
    expect(mails).toMatchObject([{ user: undefined }]);
  });

  test('a certificate that nobody vouches for is not accepted', async () => {
    const { input, mails } = await started({ options: { disabledCommands: ['AUTH'] } }, { tls: 'starttls' });
    const outcome = await deliver(email, input, messageOf());
    expect(outcome).toMatchObject({ ok: false, reason: 'network', error: expect.stringMatching(/certificate/) });
    expect(mails).toHaveLength(0);
  });
});

describe('a connection', () => {
  test('that is closed after the mail was handed over: it may have arrived', async () => {
    const { input, arrived } = await started({ ending: 'close' });
    expect(await deliver(email, input, messageOf())).toMatchObject({ ok: false, reason: 'network', unknown: true });
    await arrived();
  });

  test('without an answer to the mail: it may have arrived', async () => {
    const { input } = await started({ ending: 'hang' }, { timeout: '1500ms' });
    expect(await deliver(email, input, messageOf())).toMatchObject({ ok: false, reason: 'timeout', unknown: true });
  });

  test.each<[string, string | null, object]>([
    ['says nothing', null, { reason: 'timeout' }],
    ['is none of SMTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', { reason: expect.stringMatching(/^(?:server|network)$/) }],
    ['never ends its greeting', '220-x\r\n'.repeat(200_000), { reason: expect.stringMatching(/^(?:server|timeout)$/) }],
  ])('that %s: nothing arrived', async (_name, greeting, expected) => {
    const outcome = await deliver(email, settings(await rawServer(greeting), { timeout: '1500ms' }), messageOf());
    expect(outcome).toMatchObject({ ok: false, ...expected });
    expect(outcome).not.toHaveProperty('unknown');
  });

  test.each(['127.0.0.1', 'localhost', '::1', '0x7f.1', '127.0.0.1.', '169.254.169.254'])(
    'to %s needs leave',
    async (host) => {
      const { input, mails } = await started();
      const outcome = await deliver(email, { ...input, host, allow_private: false }, messageOf());
      expect(outcome).toMatchObject({ ok: false, reason: 'invalid-config' });
      expect(mails).toHaveLength(0);
    },
  );

  test('never carries a password unencrypted to another’s server', async () => {
    const given = { ...settings(25, SIGN_IN), host: 'smtp.example.com', allow_private: false };
    const outcome = await deliver(email, given, messageOf());
    expect(outcome).toMatchObject({ ok: false, reason: 'invalid-config', error: expect.stringMatching(/unencrypted/) });
    const found = await email.check(email.schema.parse({ ...given, host: '192.0.2.1' }), toolsOf());
    expect(found.map(({ level }) => level)).toContain('fail');
  });

  test('is closed again', async () => {
    const open = new Set<unknown>();
    const options = {
      disabledCommands: ['STARTTLS', 'AUTH'],
      onClose: (session: { id: string }) => void open.delete(session.id),
    };
    const { input } = await started({
      options: {
        ...options,
        onConnect: (session, done) => {
          open.add(session.id);
          done();
        },
      },
    });
    expect(await deliver(email, input, messageOf())).toMatchObject({ ok: true });
    await until(() => open.size === 0, 'the connection to end');
  });
});

test.each([
  { host: 'https://smtp.example.com' },
  { host: 'smtp.example.com:25 x' },
  { port: 0 },
  { tls: 'yes' },
  { user: 'me' },
  { password: 'secret' },
  { from: 'nobody' },
  { from: 'a@example.com\r\nBcc: b@example.com' },
  { to: [] },
  { to: 'a@example.com, b@example.com' },
  { to: ['a@example.com', ''] },
])('settings that are refused: %j', (more) => {
  const fine = { host: 'smtp.example.com', from: 'a@example.com', to: 'b@example.com' };
  expect(email.schema.safeParse(fine).success).toBe(true);
  expect(email.schema.safeParse({ ...fine, ...more }).success).toBe(false);
});
