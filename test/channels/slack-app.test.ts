// A Slack app: what people see, in threads and in place; what refusals mean; buttons by Socket Mode, which the official clients of Slack confirm.
import { SocketModeClient } from '@slack/socket-mode';
import { WebClient } from '@slack/web-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { slackApp } from '../../src/channels/slack-app.ts';
import type { InboundAnswer, OutgoingMessage } from '../../src/model/channel/channel.ts';
import type { Outcome } from '../../src/model/delivery/delivery.ts';
import type { NotificationContent } from '../../src/model/notification/notification.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, eventOf, messageOf, toolsOf } from '../contracts/channel.ts';
import { testHttpChannel } from '../contracts/http-channel.ts';
import { APP_TOKEN, BOT_TOKEN, CHANNEL, type SlackServer, startSlackServer } from '../support/slack-server.ts';
import { until } from '../support/wait.ts';

const at = (url: string, more: object = {}) => ({
  token: BOT_TOKEN,
  channel: CHANNEL,
  api_url: `${url}/api`,
  allow_private: true,
  ...more,
});

testHttpChannel({
  channel: slackApp,
  input: { token: 'secret:slack', app_token: 'secret:slack_app', channel: CHANNEL },
  settings: (url) => ({ input: at(url), secrets: [BOT_TOKEN] }),
  accepted: { status: 200, body: JSON.stringify({ ok: true, channel: CHANNEL, ts: '1780000000.000100' }) },
});

const send = (
  server: SlackServer,
  more: Partial<NotificationContent> = {},
  settings: object = {},
  message: Partial<OutgoingMessage> = {},
) => deliver(slackApp, at(server.url, settings), messageOf(more, message));
const receiptOf = (outcome: Outcome): unknown => (outcome.ok ? outcome.receipt : null);
const change = (server: SlackServer, receipt: unknown, message: OutgoingMessage, settings: object = {}) =>
  deliver(slackApp, at(server.url, settings), message, toolsOf(), receipt);
const updated = (more: Partial<NotificationContent> = {}, message: Partial<OutgoingMessage> = {}) =>
  messageOf(more, { operation: 'update', revision: 2, ...message });
const retracted = messageOf({}, { operation: 'retract', revision: 2 });
const over = { state: 'resolved', why: 'answered in the terminal after 40 s', at: 0 } as const;
const calls = (server: SlackServer, method: string) =>
  server.requests.filter(({ path }) => path.endsWith(method)).map(({ body }) => JSON.parse(body) as object);

describe('the message', () => {
  test('is blocks of plain text with a fallback, nothing unfurled', async () => {
    const server = await startSlackServer();
    const outcome = await send(server, { title: 'T & U', body: 'B' });
    expect(outcome).toEqual({
      ok: true,
      status: 200,
      receipt: { channel: CHANNEL, ts: server.shown[0]?.ts, thread: null },
    });
    expect(server.shown).toMatchObject([{ text: 'T &amp; U\nB', thread: null, attachments: [] }]);
    expect(server.shown[0]?.blocks.map(({ type }) => type)).toEqual(['header', 'section', 'section']);
    expect(calls(server, 'postMessage')).toMatchObject([{ unfurl_links: false, unfurl_media: false, parse: 'none' }]);
  });

  test('keeps the limits, whatever text', async () => {
    const server = await startSlackServer();
    for (const text of [...hostile, 'x'.repeat(100_000), '👩‍👩‍👧‍👦'.repeat(5_000), '&<>'.repeat(3_000)])
      for (const abnormal of [true, false])
        expect(await send(server, { title: text, body: text, abnormal }), text.slice(0, 40)).toMatchObject({
          ok: true,
        });
  });

  test('has a button where somebody listens, until it is over', async () => {
    const server = await startSlackServer();
    const receipt = receiptOf(await send(server, {}, {}, { acknowledgeWith: 'ack:ntf_1:nonce' }));
    const types = () => server.shown[0]?.blocks.map(({ type }) => type);
    expect(types()).toContain('actions');
    await change(server, receipt, updated({}, { resolution: over, acknowledgeWith: 'ack:ntf_1:nonce' }));
    expect(types()).not.toContain('actions');
  });

  test('to a person is sent to the conversation with them, looked up once', async () => {
    const server = await startSlackServer();
    server.people.set('ada+x@example.com', 'U042');
    const settings = { channel: undefined, dm: 'ada+x@example.com' };
    for (const _time of [1, 2]) expect(await send(server, {}, settings)).toMatchObject({ ok: true });
    expect(server.shown.map(({ channel }) => channel)).toEqual(['DU042', 'DU042']);
    expect(server.requests.map(({ path }) => path.split('/').at(-1))).toEqual([
      'users.lookupByEmail',
      'conversations.open',
      'chat.postMessage',
      'chat.postMessage',
    ]);
  });
});

describe('a thread', () => {
  test('holds the messages of a session; what is urgent is shown in the channel too', async () => {
    const server = await startSlackServer();
    for (const threadKey of ['a', 'b', 'a']) await send(server, {}, {}, { threadKey });
    await send(server, { urgency: 'urgent' }, {}, { threadKey: 'a' });
    const [first, second, third, urgent] = server.shown;
    expect([first?.thread, second?.thread, third?.thread]).toEqual([null, null, first?.ts]);
    expect([third?.broadcast, urgent?.thread, urgent?.broadcast]).toEqual([false, first?.ts, true]);
  });

  test('goes on after a restart, by what was sent before', async () => {
    const server = await startSlackServer();
    const root = receiptOf(await send(server));
    const { api_url, ...rest } = at(server.url);
    const anew = { ...rest, api_url: `${api_url}/` }; // other settings: another instance, which remembers nothing
    const reply = await deliver(slackApp, anew, messageOf({}, { threadReceipt: root }), toolsOf());
    expect(server.shown[1]?.thread).toBe(server.shown[0]?.ts);
    await deliver(
      slackApp,
      { ...anew, thread: 'session' },
      messageOf({}, { threadReceipt: receiptOf(reply) }),
      toolsOf(),
    );
    expect(server.shown[2]?.thread).toBe(server.shown[0]?.ts);
  });

  test.each([
    ['whose first message was deleted begins again', {}, 2],
    ['is none with thread = "none"', { thread: 'none' }, 1],
  ])('%s', async (_name, settings, requests) => {
    const server = await startSlackServer();
    await send(server, {}, settings);
    if (server.shown[0]) server.shown[0].deleted = true;
    expect(await send(server, {}, settings)).toMatchObject({ ok: true });
    expect(server.shown.map(({ thread }) => thread)).toEqual([null, null]);
    expect(server.requests).toHaveLength(1 + requests);
  });
});

describe('a change', () => {
  test('edits in place, says why it is over, takes the red bar away, and can be repeated', async () => {
    const server = await startSlackServer();
    const receipt = receiptOf(await send(server, { abnormal: true }));
    expect(server.shown[0]?.attachments).toHaveLength(1);
    for (const message of [
      updated({ title: 'x' }),
      ...Array(2).fill(updated({ title: 'T', body: 'B', abnormal: true }, { resolution: over })),
    ])
      expect(await change(server, receipt, message)).toEqual({ ok: true, status: 200, receipt });
    expect(server.shown).toMatchObject([{ text: 'T\n✓ answered in the terminal after 40 s\nB', attachments: [] }]);
  });

  test('of a message that somebody deleted: posts what is still open again, and lets go what is over', async () => {
    const server = await startSlackServer();
    const receipt = receiptOf(await send(server));
    for (const _time of [1, 2]) expect(await change(server, receipt, retracted)).toMatchObject({ ok: true });
    await change(server, receipt, updated({}, { resolution: over }));
    expect(server.shown.filter(({ deleted }) => !deleted)).toEqual([]);
    await change(server, receipt, updated({ title: 'more' }));
    expect(server.shown.filter(({ deleted }) => !deleted)).toMatchObject([{ thread: null }]);
  });
});

describe('the answer', () => {
  const cases: [string, (server: SlackServer) => object | undefined, RegExp][] = [
    ['a wrong token', () => ({ token: 'xoxb-wrong' }), /^auth Slack answered invalid_auth: .*copy it again/],
    ['the other token', () => ({ token: APP_TOKEN }), /^auth Slack answered not_allowed_token_type/],
    ['a token that is none', () => ({ token: 'a b' }), /^invalid-config the token is not one of Slack/],
    [
      'not in the channel',
      ({ channels }) => void channels.set(CHANNEL, { member: false }),
      /^invalid-config .*not_in_channel: .*\/invite/,
    ],
    ['an unknown channel', () => ({ channel: 'C000' }), /^invalid-config Slack answered channel_not_found/],
    [
      'an archived one',
      ({ channels }) => void channels.set(CHANNEL, { member: true, archived: true }),
      /^invalid-config .*is_archived/,
    ],
    [
      'an unknown person',
      () => ({ channel: undefined, dm: 'x@example.com' }),
      /^invalid-config .*users_not_found: nobody in this workspace/,
    ],
    [
      'a scope that is missing',
      ({ scopes }) => void scopes.delete('chat:write'),
      /^auth .*missing_scope: give the app the scope chat:write/,
    ],
    [
      'too many',
      ({ rules }) => void Object.assign(rules, { retryAfter: 17 }),
      /^rate-limited Slack answered ratelimited 17000$/,
    ],
    [
      'too long',
      ({ rules }) => void Object.assign(rules, { fault: 'msg_too_long' }),
      /^client Slack answered msg_too_long/,
    ],
    [
      'trouble at Slack',
      ({ rules }) => void Object.assign(rules, { fault: 'internal_error' }),
      /^server Slack answered internal_error/,
    ],
    [
      'a word that nobody knows',
      ({ rules }) => void Object.assign(rules, { fault: 'moon_is_full' }),
      /^client Slack answered moon_is_full$/,
    ],
    [
      'another server',
      (server) => void Object.assign(server, { answer: () => ({ status: 200, body: '<html>' }) }),
      /^invalid-config .*not as Slack does: check `api_url`/,
    ],
  ];
  test.each(cases)('%s', async (_name, set, words) => {
    const server = await startSlackServer();
    const outcome = await send(server, {}, set(server) ?? {});
    if (outcome.ok) throw new Error('was delivered');
    expect(`${outcome.reason} ${outcome.error} ${outcome.retryAfter ?? ''}`.trim()).toMatch(words);
    expect(JSON.stringify(outcome)).not.toMatch(/xoxb-\w|xapp-\w/);
  });
});

describe('check, without sending', () => {
  const cases: [string, (server: SlackServer) => object | undefined, RegExp][] = [
    ['all is well', () => ({ app_token: APP_TOKEN }), /^ok: belfry in Example can write there$/],
    ['to a person', ({ people }) => people.set('a@b.cd', 'U1') && { channel: undefined, dm: 'a@b.cd' }, /^ok: /],
    ['a wrong token', () => ({ token: 'xoxb-wrong' }), /^fail: .*invalid_auth.*api\.slack\.com\/apps/],
    [
      'scopes that are missing',
      ({ scopes }) => void scopes.clear(),
      /^fail: the app lacks the scopes chat:write .*install the app again/,
    ],
    [
      'not in the channel',
      ({ channels }) => void channels.set(CHANNEL, { name: 'builds', member: false }),
      /^fail: the app is not in #builds .*\/invite/,
    ],
    [
      'an archived channel',
      ({ channels }) => void channels.set(CHANNEL, { member: true, archived: true }),
      /^fail: the channel is archived/,
    ],
    ['no scope to look', ({ scopes }) => void scopes.delete('channels:read'), /^ok: /],
    ['a wrong app token', () => ({ app_token: BOT_TOKEN }), /^fail: buttons do not work: .*connections:write/],
  ];
  test.each(cases)('%s', async (_name, set, words) => {
    const server = await startSlackServer();
    const found = await slackApp.check(slackApp.schema.parse(at(server.url, set(server) ?? {})), toolsOf());
    const said = found.map(({ level, text, fix }) => `${level}: ${text}${fix ? ` (${fix})` : ''}`).join(' | ');
    expect(said).toMatch(words);
    expect(said).not.toMatch(/xoxb-\w|xapp-\w/);
    expect(server.shown).toEqual([]);
  });
});

/** Listens; ends with the test. */
async function listen(settings: object = {}, prepare: (server: SlackServer) => void = () => undefined) {
  const server = await startSlackServer();
  prepare(server);
  const control = new AbortController();
  const logged: string[] = [];
  const log = (message: string, fields?: object): number => logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const given = at(server.url, { app_token: APP_TOKEN, ...settings });
  const open = slackApp.open(slackApp.schema.parse(given), toolsOf({ log }));
  const got: InboundAnswer[] = [];
  const receiving = open.receive?.(async (answer) => {
    got.push(answer);
    return 'acknowledged';
  }, control.signal);
  onTestFinished(async () => {
    control.abort();
    await receiving;
    await open.close();
  });
  await send(server, {}, {}, { acknowledgeWith: 'ack:ntf_1:nonce' }).catch(() => undefined);
  return { server, got, logged, control, receiving, message: server.shown[0] };
}
const connected = ({ server }: { server: SlackServer }, count = 1) =>
  until(() => server.sockets.size === count, `${count} connections`);

describe('a button', () => {
  test('is acknowledged, handed over with who pressed it, and answered to them alone', async () => {
    const all = await listen();
    const { server, got, message } = all;
    await connected(all);
    if (!message) throw new Error('nothing was posted');
    const envelope = server.press(message);
    await until(() => server.whispers.length === 1, 'the answer');
    expect(server.acknowledged).toEqual([envelope]);
    const by = { id: 'U042', name: 'ada' };
    expect(got).toEqual([{ reference: 'ack:ntf_1:nonce', replyTo: null, text: null, by, at: 1_780_000_100_500 }]);
    expect(server.whispers).toEqual([{ user: 'U042', text: 'acknowledged', thread: null }]);
  });

  test.each<[string, object, Parameters<SlackServer['press']>[1]]>([
    ['of another workspace', {}, { user: { id: 'U9', team_id: 'T9' } }],
    ['of another workspace, in a channel shared with it', {}, { user: { id: 'U9', team_id: 'T9' }, team: 'T9' }],
    ['who is not allowed', { allow: ['U111'] }, {}],
    ['in another channel', {}, { channel: 'C999' }],
    ['on another button', {}, { action: 'deploy' }],
  ])('pressed by somebody %s is not handed over', async (_name, settings, how) => {
    const all = await listen(settings);
    const { server, got, message } = all;
    await connected(all);
    if (!message) throw new Error('nothing was posted');
    server.press(message, how);
    server.frame('not JSON');
    server.frame({ envelope_id: 'e1', type: 'events_api', payload: {} });
    const last = server.press(message, { user: { id: 'U111' } });
    await until(() => server.acknowledged.includes(last), 'the last one');
    await until(() => got.length === 1, 'the one that is allowed');
    expect(got.map(({ by }) => by.id)).toEqual(['U111']);
  });

  test.each(['warning', 'refresh_requested'])(
    'works on over a new connection after "%s", opened before the old one ends',
    async (reason) => {
      const all = await listen();
      const { server, got, message } = all;
      await connected(all);
      const [old] = server.sockets;
      let together = 0;
      old?.on('close', () => (together = server.sockets.size));
      server.frame({ type: 'disconnect', reason, debug_info: { host: 'x' } });
      await until(() => old !== undefined && !server.sockets.has(old), 'the old one to end');
      expect(together).toBeGreaterThan(0);
      if (message) server.press(message);
      await until(() => got.length === 1, 'the answer');
    },
  );

  test('works again after the connection broke', async () => {
    const all = await listen();
    await connected(all);
    for (const socket of all.server.sockets) socket.terminate();
    await until(() => all.server.sockets.size === 0, 'the end');
    await connected(all);
    if (all.message) all.server.press(all.message);
    await until(() => all.got.length === 1, 'the answer');
  });

  test.each<[string, object, (server: SlackServer) => void, RegExp]>([
    ['a wrong app token', { app_token: 'xapp-wrong' }, () => undefined, /cannot receive answers .*invalid_auth/],
  ])('%s ends it with a line in the log, without the token', async (_name, settings, prepare, words) => {
    const { receiving, logged } = await listen(settings, prepare);
    await receiving;
    expect(logged.join('\n')).toMatch(words);
    expect(logged.join('\n')).not.toContain('xapp-wrong');
  });

  test('Socket Mode that is switched off ends it', async () => {
    const all = await listen();
    await connected(all);
    all.server.frame({ type: 'disconnect', reason: 'link_disabled' });
    await all.receiving;
    expect(all.logged.join('\n')).toMatch(/Socket Mode is switched off .*api\.slack\.com\/apps/);
  });

  test('a private address for the connection needs leave', async () => {
    const { openSocket } = await import('../../src/channels/slack-app/socket.ts');
    const options = { allowPrivate: false, signal: new AbortController().signal, onInteraction: () => undefined };
    for (const [address, why] of [
      ['ws://example.com/', /not be encrypted/],
      ['wss://127.0.0.1:1/', /private or reserved/],
      ['wss://localhost:1/', /private or reserved/],
      ['https://example.com/', /named no address/],
    ] as const)
      expect(await openSocket(address, options)).toMatch(why);
  });
});

test("the official clients of Slack are at home at this test's server", async () => {
  const server = await startSlackServer();
  const slackApiUrl = `${server.url}/api/`;
  const web = new WebClient(BOT_TOKEN, { slackApiUrl, rejectRateLimitedCalls: true, retryConfig: { retries: 0 } });
  const posted = await web.chat.postMessage({ channel: CHANNEL, text: 'root' });
  await web.chat.postMessage({ channel: CHANNEL, text: 'reply', thread_ts: posted.ts ?? '' });
  await web.chat.update({ channel: CHANNEL, ts: posted.ts ?? '', text: 'changed' });
  server.people.set('ada@example.com', 'U042');
  expect((await web.users.lookupByEmail({ email: 'ada@example.com' })).user?.id).toBe('U042');
  await expect(web.chat.delete({ channel: CHANNEL, ts: '1.1' })).rejects.toThrow(/message_not_found/);
  const socket = new SocketModeClient({ appToken: APP_TOKEN, clientOptions: { slackApiUrl } });
  const pressed = new Promise<string>((resolve) =>
    socket.on(
      'interactive',
      async ({ body, ack }: { body: { actions: { value: string }[] }; ack: () => Promise<void> }) => {
        await ack();
        resolve(body.actions[0]?.value ?? '');
      },
    ),
  );
  await socket.start();
  await send(server, { event: eventOf() }, {}, { acknowledgeWith: 'ack:ntf_2:nonce' });
  const message = server.shown.at(-1);
  const envelope = message ? server.press(message) : '';
  expect(await pressed).toBe('ack:ntf_2:nonce');
  await until(() => server.acknowledged.includes(envelope), 'the acknowledgement');
  for (const one of server.sockets) one.close();
  await socket.disconnect();
});
