// Web Push: what a browser is sent, encrypted for it alone; keys made once; who is gone is forgotten; what is pressed is an answer.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBrowsers } from '../../src/channels/webpush/browser-file.ts';
import { browsers } from '../../src/channels/webpush/browsers.ts';
import { pushMessage } from '../../src/channels/webpush/message.ts';
import { pressProof } from '../../src/channels/webpush/press-proof.ts';
import { webpush } from '../../src/channels/webpush.ts';
import { browserSchema } from '../../src/model/channel/browsers.ts';
import { tokenFileIn } from '../../src/http/token-file.ts';
import { removeToken } from '../../src/http/tokens.ts';
import { receivePresses } from '../../src/channels/webpush/button-presses.ts';
import { NOT_MADE_HERE } from '../../src/model/channel/channel.ts';
import type { InboundAnswer, OutgoingMessage } from '../../src/model/channel/channel.ts';
import type { AnswerButton, MessageQuestion } from '../../src/model/question/shown-question.ts';
import forbidden from '../fixtures/forbidden-urls.json' with { type: 'json' };
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, messageOf, testChannel, toolsOf } from '../contracts/channel.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/home.ts';
import { startPushService } from '../support/push-service.ts';
import { subscribeIn as addBrowser } from '../support/subscribed.ts';

const settings = { allow_private: true };
const toolsIn = (stateFolder: string, more: object = {}) => toolsOf({ stateFolder, ...more });

/** A push service with these browsers, which the channel knows. */
async function subscribed(...names: string[]) {
  const service = await startPushService();
  const folder = join(temporaryFolder(), 'state');
  for (const name of names) await addBrowser(folder, service.subscribe(name));
  const send = (message: OutgoingMessage = messageOf(), more: object = {}) =>
    deliver(webpush, { ...settings, ...more }, message, toolsIn(folder));
  const known = async () => (await readBrowsers(folder))?.browsers.map(({ endpoint }) => endpoint.split('/').at(-1));
  return { service, folder, send, known };
}

const reached = async () => {
  const { service, folder } = await subscribed('one');
  return { service, there: { input: settings, tools: toolsIn(folder), arrived: () => service.receiver.waitFor(1) } };
};

testChannel({
  channel: webpush,
  input: { subject: 'mailto:me@example.com' },
  unreachable: async () => {
    const folder = join(temporaryFolder(), 'state');
    const { endpoint, keys } = (await startPushService()).subscribe('k3y5n8m2q7r4t6w9');
    await addBrowser(folder, { endpoint: endpoint.replace(/:\d+/, `:${await freePort()}`), keys });
    // Its address is allowed: what is wrong with it shows only when it is sent to.
    return { input: { allow_private: false }, tools: toolsIn(folder), secrets: ['k3y5n8m2q7r4t6w9', keys.auth] };
  },
  works: async () => (await reached()).there,
  hangs: async () => {
    const { service, there } = await reached();
    service.answers = () => undefined;
    return there;
  },
});

describe('what a browser is sent', () => {
  test('only it can read; it is kept for a day, and replaced until then', async () => {
    const at = await subscribed('one');
    const { service, send } = at;
    const sent = await send(messageOf({ title: 'Über 👩‍👩‍👧', body: 'All done.', urgency: 'urgent' }));
    expect(sent).toEqual({ ok: true, status: 201, receipt: { tag: 'ntf_1' } });
    const [first] = service.pushed;
    expect(first).toMatchObject({
      browser: 'one',
      ttl: 86_400,
      urgency: 'high',
      subject: 'mailto:belfry@example.com',
      message: {
        id: 'dlv_1',
        tag: 'ntf_1',
        title: 'Über 👩‍👩‍👧',
        body: 'All done.',
        quiet: false,
        stays: true,
        over: false,
      },
    });
    expect(service.receiver.requests[0]?.body).not.toContain('done');
    const resolution = { state: 'resolved', why: 'answered in the terminal', at: 0 } as const;
    const update = messageOf({}, { id: 'dlv_2', operation: 'update', revision: 2, resolution });
    const { folder } = at;
    const changed = await deliver(webpush, settings, update, toolsIn(folder), { tag: 'ntf_1' });
    expect(changed).toMatchObject({ ok: true });
    expect(service.pushed.at(-1)).toMatchObject({
      topic: first?.topic,
      urgency: 'low',
      message: { tag: 'ntf_1', quiet: true, over: true, body: '✓ answered in the terminal\nAll done.', actions: [] },
    });
  });

  test.each([
    ['low', 'low', true, false],
    ['normal', 'normal', false, false],
    ['urgent', 'high', false, true],
  ] as const)('urgency %s', async (urgency, header, quiet, stays) => {
    const { service, send } = await subscribed('one');
    await send(messageOf({ urgency }), { subject: 'mailto:ada@example.com' });
    expect(service.pushed).toMatchObject([
      { urgency: header, subject: 'mailto:ada@example.com', message: { quiet, stays } },
    ]);
  });

  test('hostile and long texts arrive whole in form, and fit', async () => {
    const { service, send } = await subscribed('one');
    for (const text of [...hostile.slice(0, 60), '👩‍👩‍👧‍👦'.repeat(2_000), '\u0000\u001b[31m', '"\\'.repeat(9_000)])
      expect(await send(messageOf({ title: text, body: text })), text.slice(0, 40)).toMatchObject({ ok: true });
    for (const { message } of service.pushed) {
      expect(message['title']).not.toBe('');
      expect(`${String(message['title'])}${String(message['body'])}`).not.toMatch(
        /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/,
      );
    }
  });
});

describe('buttons', () => {
  const button = (says: AnswerButton['says'], label: string): AnswerButton => ({
    says,
    label,
    reference: `ans:${label}`,
  });
  const question = (text: string, partial: string | null = null): MessageQuestion => ({
    kind: 'permission',
    text,
    choices: [],
    partial,
    allowAt: 'Allow it at its terminal.',
    buttons: [button('allow', 'Allow'), button('deny', 'Deny'), button('text', 'Deny, and say why')],
  });
  const shown = (message: Partial<OutgoingMessage>) => pushMessage(messageOf({}, message));

  test.each<[string, Partial<OutgoingMessage>, string[]]>([
    ['a finish', { acknowledgeWith: 'ack:ntf_1:x' }, ['Got it']],
    ['nobody listens', {}, []],
    [
      'a permission that is shown whole',
      { acknowledgeWith: 'ack:x', question: question('npm test') },
      ['Allow', 'Deny'],
    ],
    ['one that is too long for a notification', { question: question('x'.repeat(400)) }, ['Deny']],
    ['one of too many lines', { question: question('a\n'.repeat(9)) }, ['Deny']],
    ['one of which not all is known', { question: question('npm test', 'it was cut') }, ['Deny']],
  ])('%s', (_what, message, titles) => {
    expect(shown(message).actions.map(({ title }) => title)).toEqual(titles);
  });

  test('a press is handed to the channel that listens, as an answer of this user', async () => {
    const open = webpush.open(webpush.schema.parse({}), toolsIn(temporaryFolder()));
    const control = new AbortController();
    const taken: InboundAnswer[] = [];
    const listening = open.receive?.(async (answer) => {
      taken.push(answer);
      return 'Acknowledged.';
    }, control.signal);
    onTestFinished(() => open.close());
    await new Promise((resolve) => setImmediate(resolve));
    const pressed = await pressing();
    const line = await pressedUntilHeard(pressed);
    expect(line).toBe('Acknowledged.');
    expect(taken).toMatchObject([{ reference: 'ack:ntf_1:x', replyTo: null, text: null }]);
    control.abort();
    await listening;
    expect(await pressed()).toContain('No channel takes answers');
  });

  test.each([
    ['the first', 0, [0]],
    ['the last', 2, [0, 1, 2]],
    ['none', 3, [0, 1, 2, 0, 1, 2]],
  ])('%s of several channels knows it: its line is shown, and nobody else is asked', async (_which, knows, asked) => {
    const control = new AbortController();
    const heard: [number, boolean | undefined][] = [];
    const listening = [0, 1, 2].map((i) =>
      receivePresses({
        on: async ({ mayBeForAnother }) => {
          heard.push([i, mayBeForAnother]);
          return i === knows ? 'Acknowledged.' : NOT_MADE_HERE;
        },
        signal: control.signal,
      }),
    );
    expect(await (await pressing())()).toBe(knows < 3 ? 'Acknowledged.' : NOT_MADE_HERE);
    // Only what nobody knows is held against them.
    expect(heard).toEqual(asked.map((i, place) => [i, place < 3]));
    control.abort();
    await Promise.all(listening);
  });

  /** What presses a button in a browser that is sent to. */
  async function pressing(): Promise<() => Promise<string | null>> {
    const folder = temporaryFolder();
    const browser = (await startPushService()).subscribe('one');
    await addBrowser(folder, browser);
    const reference = 'ack:ntf_1:x';
    return () => browsers.pressed(folder, { reference, proof: pressProof(browser, reference) });
  }

  test('a press proves that it was made in a browser that is sent to, by the button that it was sent', async () => {
    const folder = temporaryFolder();
    const service = await startPushService();
    const [one, two] = [service.subscribe('one'), service.subscribe('two')];
    await addBrowser(folder, one);
    const tell = (reference: string, proof: string) => browsers.pressed(folder, { reference, proof });
    const proof = pressProof(one, 'a');
    expect(await tell('a', proof)).not.toBeNull();
    for (const [reference, given] of [
      ['b', proof],
      ['a', pressProof(two, 'a')],
      ['a', ''],
      ['a', `${proof}x`],
      ['a', 'é'.repeat(11)],
    ] as const)
      expect(await tell(reference, given)).toBeNull();
    await removeToken(tokenFileIn(folder), 'page-00000001'); // who let this browser be sent to is let in no more
    expect(await tell('a', proof)).toBeNull();
    expect(await browsers.count(folder)).toBe(0);
  });

  /** The channel's code is loaded when it begins to listen. */
  async function pressedUntilHeard(pressed: () => Promise<string | null>): Promise<string | null> {
    for (;;) {
      const line = await pressed();
      if (line?.includes('No channel') !== true) return line;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
});

describe('what push services answer', () => {
  test.each([404, 410])('%i: the browser is forgotten, and the others are not', async (status) => {
    const { service, send, known } = await subscribed('one', 'two');
    service.gone.add('one');
    const usual = service.receiver.answer;
    service.receiver.answer = (request, index) => {
      const answer = usual(request, index);
      return answer === 410 ? status : answer;
    };
    expect(await send()).toMatchObject({ ok: true });
    expect(await known()).toEqual(['two']);
    service.gone.add('two');
    expect(await send()).toMatchObject({
      ok: false,
      reason: 'invalid-config',
      error: expect.stringContaining('Notify in this browser'),
    });
    expect(await known()).toEqual([]);
    const count = service.receiver.requests.length;
    expect(await send()).toMatchObject({ ok: false, reason: 'invalid-config' });
    expect(service.receiver.requests).toHaveLength(count);
  });

  test.each([
    [429, { 'retry-after': '7' }, 'rate-limited', 7_000],
    [500, {}, 'server', undefined],
    [403, {}, 'auth', undefined],
    [413, {}, 'client', undefined],
  ] as const)('%i', async (status, headers, reason, retryAfter) => {
    const { service, send, known } = await subscribed('one');
    service.answers = ({ path }, response) => void response.writeHead(status, headers).end(`no ${path}`);
    const outcome = await send();
    expect(outcome).toMatchObject({ ok: false, reason });
    if (!outcome.ok) expect(outcome.retryAfter).toBe(retryAfter);
    expect(JSON.stringify(outcome)).not.toContain('/push/');
    expect(await known()).toEqual(['one']);
  });

  test.each<[string, object]>([
    ['of another length', { privateKey: 'AAAA' }],
    ['padded', { publicKey: `B${'A'.repeat(86)}=` }],
    ['of another form', { privateKey: '%%%' }],
  ])('a key pair of ours that is %s sends nothing, says what to do and forgets nobody', async (_what, keys) => {
    const { service, send, known, folder } = await subscribed('one', 'two');
    writeFileSync(join(folder, 'browsers.json'), JSON.stringify({ ...(await readBrowsers(folder)), ...keys }));
    expect(await send()).toMatchObject({
      ok: false,
      reason: 'invalid-config',
      error: expect.stringMatching(/key pair in browsers\.json.*remove.*Notify in this browser/),
    });
    expect(await known()).toEqual(['one', 'two']);
    expect(service.receiver.requests).toHaveLength(0);
  });

  test('a browser whose key is no point of the curve is forgotten, and the others are reached', async () => {
    const { send, known, folder, service } = await subscribed('one');
    const { keys } = service.subscribe('bad');
    await addBrowser(folder, { endpoint: `${service.url}/push/bad`, keys: { ...keys, p256dh: `B${'A'.repeat(86)}` } });
    expect(await send()).toMatchObject({ ok: true });
    expect(await known()).toEqual(['one']);
  });

  test('one browser that is reached is enough, and the other is named by why not', async () => {
    const { service, send, folder } = await subscribed('one');
    const elsewhere = service.subscribe('two', `http://127.0.0.1:${await freePort()}`);
    await addBrowser(folder, elsewhere);
    expect(await send()).toMatchObject({ ok: true, answer: '1 of 2 browsers; 127.0.0.1 refused the connection' });
  });

  test('no forbidden address is reached, whatever a browser hands over', async () => {
    const { service, send, folder } = await subscribed();
    const { keys } = service.subscribe('one');
    for (const { url, why } of forbidden.filter((entry) => !('resolves' in entry))) {
      const endpoint = url.replace('PORT', new URL(service.url).port);
      const read = browserSchema.safeParse({ endpoint, keys });
      if (!read.success) continue; // refused where it is handed over
      await addBrowser(folder, read.data);
      expect(await send(messageOf(), { allow_private: false }), why).toMatchObject({
        ok: false,
        reason: 'invalid-config',
      });
      await browsers.remove(folder, endpoint);
    }
    expect(service.receiver.requests).toHaveLength(0);
  });

  test('a private address needs leave, and a redirect is not followed', async () => {
    const { service, send } = await subscribed('one');
    expect(await send(messageOf(), { allow_private: false })).toMatchObject({ ok: false, reason: 'invalid-config' });
    expect(service.receiver.requests).toHaveLength(0);
    service.answers = { status: 307, headers: { location: '/elsewhere' } };
    expect(await send()).toMatchObject({ ok: false, reason: 'invalid-config' });
    expect(service.receiver.requests).toHaveLength(1);
  });
});

describe('the file of browsers', () => {
  test('has keys that are made once, readable by their owner only', async () => {
    const folder = join(temporaryFolder(), 'state');
    const keys = await Promise.all([1, 2, 3, 4].map(() => browsers.publicKey(folder)));
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(65);
    const file = join(folder, 'browsers.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const { service, send, known, folder: other } = await subscribed('one');
    await send();
    expect(service.pushed[0]?.key).toBe((await readBrowsers(other))?.publicKey);
    await addBrowser(other, service.subscribe('one'));
    expect(await known()).toEqual(['one']);
  });

  test('takes twenty browsers', async () => {
    const service = await startPushService();
    const folder = temporaryFolder();
    for (let i = 0; i < 20; i++) expect(await addBrowser(folder, service.subscribe(`b${i}`))).toBe(true);
    expect(await addBrowser(folder, service.subscribe('more'))).toBe(false);
    expect(await browsers.count(folder)).toBe(20);
    expect(await browsers.remove(folder, `${service.url}/push/b3`)).toBe(true);
    expect(await browsers.remove(folder, `${service.url}/push/b3`)).toBe(false);
  });

  test.each(['', '{', '{"v":2}', '{"v":1,"browsers":[]}'])(
    'damaged (%j): a fault of the settings, and left as it is',
    async (text) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'browsers.json'), text);
      const outcome = await deliver(webpush, settings, messageOf(), toolsIn(folder));
      expect(outcome).toMatchObject({ ok: false, reason: 'invalid-config' });
      expect(await webpush.check(webpush.schema.parse(settings), toolsIn(folder))).toMatchObject([{ level: 'fail' }]);
      expect(readFileSync(join(folder, 'browsers.json'), 'utf8')).toBe(text);
    },
  );

  test('is not made by a send or a check', async () => {
    const folder = temporaryFolder();
    await deliver(webpush, settings, messageOf(), toolsIn(folder));
    expect(await webpush.check(webpush.schema.parse(settings), toolsIn(folder))).toMatchObject([
      { level: 'fail', text: 'no browser is subscribed', fix: expect.stringContaining('belfry dashboard') },
    ]);
    expect(existsSync(join(folder, 'browsers.json'))).toBe(false);
  });

  const good = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
  test.each<[string, unknown]>([
    ['no address', { endpoint: 'push', keys: good }],
    ['another protocol', { endpoint: 'file:///etc/passwd', keys: good }],
    ['an address without end', { endpoint: `https://example.com/${'x'.repeat(3_000)}`, keys: good }],
    ['no keys', { endpoint: 'https://example.com/1' }],
    ['a key that is too short', { endpoint: 'https://example.com/1', keys: { ...good, p256dh: 'BAAA' } }],
    ['a key that is no point', { endpoint: 'https://example.com/1', keys: { ...good, p256dh: `A${'A'.repeat(86)}` } }],
    ['no secret', { endpoint: 'https://example.com/1', keys: { ...good, auth: '' } }],
  ])('a subscription with %s is refused', (_what, given) => {
    expect(browserSchema.safeParse(given).success).toBe(false);
    expect(browserSchema.safeParse({ endpoint: 'https://example.com/1', keys: good }).success).toBe(true);
  });
});
