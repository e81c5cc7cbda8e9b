// MQTT: events with an id, the state of every session, what is cleared, how it signs in, and what it does when the broker is gone.
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { brokerAddress, brokerFault } from '../../src/channels/mqtt/address.ts';
import { topicLevel, topicsOf } from '../../src/channels/mqtt/topics.ts';
import { mqtt } from '../../src/channels/mqtt.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import type { Level } from '../../src/model/notification/notification.ts';
import type { SessionBatch, SessionFeed } from '../../src/model/session/session-feed.ts';
import type { SessionRecord } from '../../src/model/session/session.ts';
import { createEmitter } from '../../src/lib/async/emitter.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, messageOf, testChannel, toolsOf } from '../contracts/channel.ts';
import { freePort } from '../support/free-port.ts';
import { madeSession } from '../support/made.ts';
import { PASSWORD, startBroker, USER } from '../support/mqtt-broker.ts';
import { until } from '../support/wait.ts';

const HOUR = 3_600_000;
const at = (url: string, more: object = {}) => ({ url, allow_private: true, ...more });
const signedIn = { user: USER, password: PASSWORD };
const topics = topicsOf('belfry');
const STATE = /\/state$/;

testChannel({
  channel: mqtt,
  input: { url: 'mqtts://broker.example.com', user: 'me', password: 'secret:mqtt' },
  unreachable: async () => ({ input: at(`mqtt://127.0.0.1:${await freePort()}`, signedIn), secrets: [PASSWORD] }),
  works: async () => {
    const broker = await startBroker({ signIn: true });
    return { input: at(broker.url, signedIn), arrived: () => broker.waitFor(/events$/) };
  },
  hangs: async () => {
    const broker = await startBroker();
    broker.trouble('silent');
    return { input: at(broker.url), arrived: () => broker.waitFor(/events$/) };
  },
});

/** A feed that a test fills: all sessions at first, then what it says. */
function feedOf(first: readonly SessionRecord[]) {
  const more = createEmitter<SessionBatch>();
  let following = 0;
  const feed: SessionFeed = {
    follow: async function* (signal) {
      following++;
      const waiting: SessionBatch[] = [{ sessions: first, whole: true }];
      let wake = (): void => undefined;
      more.on((batch) => {
        waiting.push(batch);
        wake();
      });
      signal.addEventListener('abort', () => wake());
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
  return { feed, say: more.emit, following: () => following };
}

/** The channel shows these sessions until the test has ended, or `stop`. */
async function mirroring(settings: object, first: readonly SessionRecord[], tools = toolsOf(), level: Level = 'full') {
  const { feed, say, following } = feedOf(first);
  const open = mqtt.open(mqtt.schema.parse(settings), tools);
  const control = new AbortController();
  const running = open.mirror?.(feed, level, control.signal);
  const stop = async (): Promise<void> => {
    control.abort();
    await running;
    await open.close();
  };
  onTestFinished(stop);
  return { open, say, stop, following };
}

const now = Date.now();
const session = (more: Partial<SessionRecord> = {}): SessionRecord =>
  madeSession({ ...HERE, sessionId: 'ses-1', project: 'payments', lastEvent: now, since: now, ...more });
const stateOf = (kept: ReadonlyMap<string, string>, id: string): Record<string, unknown> | null =>
  JSON.parse(kept.get(topics.state(id)) ?? 'null') as Record<string, unknown> | null;

describe('events', () => {
  test('go to one topic with QoS 1, not retained, as the document of a webhook with an id', async () => {
    const broker = await startBroker({ signIn: true });
    expect(await deliver(mqtt, at(broker.url, signedIn), messageOf())).toEqual({ ok: true });
    const [message] = broker.handed;
    expect(message).toMatchObject({ topic: `belfry/${HERE.host}/events`, qos: 1, retain: false });
    expect(JSON.parse(message?.payload ?? '')).toMatchObject({
      id: 'dlv_1',
      type: 'agent.finished',
      data: { event: { session_id: 'session-1' }, notification: { title: 'project: Tester finished' } },
    });
  });

  test('hostile text arrives as it is, in valid JSON, below the same topic', async () => {
    const broker = await startBroker();
    for (const text of hostile) await deliver(mqtt, at(broker.url), messageOf({ title: text, body: text }));
    const events = broker.handed.filter(({ topic }) => topic === topics.events);
    expect(
      events.map(
        ({ payload }) => (JSON.parse(payload) as { data: { notification: { title: string } } }).data.notification.title,
      ),
    ).toEqual(hostile);
  });

  test('one connection serves many; a lost one is made again by the next send', async () => {
    const broker = await startBroker();
    const input = at(broker.url);
    await Promise.all([1, 2, 3, 4, 5].map((n) => deliver(mqtt, input, messageOf({}, { id: `dlv_${n}` }))));
    expect(broker.introductions).toHaveLength(1);
    broker.cut();
    await until(() => broker.clients.size === 0, 'the connection to end');
    expect(await deliver(mqtt, input, messageOf())).toEqual({ ok: true });
    expect(broker.introductions).toHaveLength(2);
  });
});

describe('the broker refuses', () => {
  test.each([
    ['refused', 'auth', '127.0.0.1 does not accept the user and password'],
    ['unavailable', 'server', '127.0.0.1 is not available just now'],
  ] as const)('%s', async (trouble, reason, error) => {
    const broker = await startBroker();
    broker.trouble(trouble);
    const outcome = await deliver(mqtt, at(broker.url, signedIn), messageOf());
    expect(outcome).toEqual({ ok: false, reason, error });
    const settings = mqtt.schema.parse(at(broker.url, signedIn));
    expect(await mqtt.check(settings, toolsOf())).toMatchObject([{ level: 'fail', text: error }]);
  });

  test('no acknowledgement within `timeout`: it may have arrived, and the next one has a new connection', async () => {
    const broker = await startBroker();
    const input = at(broker.url, { timeout: '300ms' });
    broker.trouble('silent');
    expect(await deliver(mqtt, input, messageOf())).toMatchObject({ ok: false, reason: 'timeout', unknown: true });
    broker.trouble(null);
    expect(await deliver(mqtt, input, messageOf())).toEqual({ ok: true });
  });

  test.each<[string, Buffer]>([
    ['nothing of MQTT', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['an endless packet', Buffer.concat([Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(2_000_000)])],
    ['nothing, and ends', Buffer.alloc(0)],
  ])('a server that says %s is no broker', async (_what, bytes) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => void socket.end(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const outcome = await deliver(mqtt, at(`mqtt://127.0.0.1:${port}`), messageOf());
    expect(outcome).toMatchObject({ ok: false, reason: 'network' });
  });

  test('a password never leaves unencrypted for a public address', async () => {
    const outcome = await deliver(mqtt, { url: 'mqtt://broker.example.com', ...signedIn }, messageOf());
    expect(outcome).toMatchObject({ ok: false, reason: 'invalid-config', error: expect.stringContaining('mqtts://') });
  });
});

describe('sessions', () => {
  test('are retained each below its own topic, in the words of `sessions --json`', async () => {
    const broker = await startBroker();
    const { say } = await mirroring(at(broker.url), [session({ state: 'waiting', waitingFor: 'permission' })]);
    await until(() => stateOf(broker.kept, 'ses-1'), 'the state');
    expect(stateOf(broker.kept, 'ses-1')).toMatchObject({
      session_id: 'ses-1',
      state: 'waiting',
      waiting_for: 'permission',
      host: HERE.host,
      project: 'payments',
      since: new Date(now).toISOString(),
      last_words: null,
    });
    say({ sessions: [session({ state: 'working' })], whole: false });
    await until(() => stateOf(broker.kept, 'ses-1')?.['state'] === 'working', 'the next state');
    const states = broker.handed.filter(({ topic }) => STATE.test(topic));
    expect(states).toMatchObject([
      { qos: 1, retain: true },
      { qos: 1, retain: true },
    ]);
    await until(() => broker.kept.get(topics.sessions) === '{"waiting":0,"working":1,"total":1}', 'the counts');
  });

  test('a connection has an id of its own that stays, and a will; a break is seen, and everything is shown again', async () => {
    const broker = await startBroker();
    const { following } = await mirroring(at(broker.url), [session()]);
    await until(() => broker.kept.get(topics.status) === 'online' && stateOf(broker.kept, 'ses-1'), 'it to be online');
    const [first] = broker.introductions;
    expect(first?.id).toMatch(/^belfry-[0-9a-f]{16}$/);
    expect(first?.will).toMatchObject({ topic: topics.status, payload: 'offline', qos: 1, retain: true });
    broker.kept.clear();
    broker.cut();
    await until(() => broker.kept.get(topics.status) === 'offline', 'its will');
    await until(() => broker.kept.get(topics.status) === 'online' && stateOf(broker.kept, 'ses-1'), 'it to be back');
    expect(broker.introductions.map(({ id }) => id)).toEqual([first?.id, first?.id]);
    expect(following()).toBe(2);
  });

  test('when it ends it says so, and its will is not needed', async () => {
    const broker = await startBroker();
    const { stop } = await mirroring(at(broker.url), [session()]);
    await until(() => broker.kept.get(topics.status) === 'online', 'it to be online');
    await stop();
    expect(broker.kept.get(topics.status)).toBe('offline');
    expect(broker.handed.filter(({ payload }) => payload === 'offline')).toHaveLength(1);
  });

  test('a send goes over the same connection, and makes one again at once', async () => {
    const broker = await startBroker();
    const { open } = await mirroring(at(broker.url), [session()]);
    await until(() => broker.kept.get(topics.status) === 'online', 'it to be online');
    const context = { signal: new AbortController().signal, timeoutMs: 10_000 };
    expect(await open.send(messageOf(), context)).toEqual({ ok: true });
    broker.cut();
    await until(() => broker.clients.size === 0, 'the connection to end');
    expect(await open.send(messageOf(), context)).toEqual({ ok: true });
    await until(() => broker.kept.get(topics.status) === 'online', 'it to be back, before the schedule says');
    expect(new Set(broker.introductions.map(({ id }) => id)).size).toBe(1);
  });

  test('one that ended is shown for a day, then cleared with its sensor', async () => {
    const broker = await startBroker();
    const time = { now };
    const ended = session({ sessionId: 'over', state: 'ended', lastEvent: now });
    const { say } = await mirroring(at(broker.url), [ended, session()], toolsOf({ now: () => time.now }));
    await until(() => stateOf(broker.kept, 'over')?.['state'] === 'ended' && stateOf(broker.kept, 'ses-1'), 'both');
    expect([...broker.kept.keys()].filter((topic) => topic.includes('/session_'))).toHaveLength(2);
    time.now += 24 * HOUR;
    say({ sessions: [ended, session({ state: 'waiting' })], whole: true });
    await until(() => !broker.kept.has(topics.state('over')), 'it to be cleared');
    expect(stateOf(broker.kept, 'ses-1')?.['state']).toBe('waiting');
    await until(
      () => [...broker.kept.keys()].filter((topic) => topic.includes('/session_')).length === 1,
      'its sensor to go',
    );
  });

  test('what an earlier run left is cleared; what is of another user is not', async () => {
    const broker = await startBroker();
    await broker.keep(topics.state('left'), JSON.stringify({ user: HERE.user, state: 'working' }));
    await broker.keep(topics.state('theirs'), JSON.stringify({ user: 'somebody-else', state: 'working' }));
    await broker.keep(topics.state('strange'), 'no JSON');
    await mirroring(at(broker.url), [session()]);
    await until(() => stateOf(broker.kept, 'ses-1') && !broker.kept.has(topics.state('left')), 'it to be cleared');
    expect(broker.kept.has(topics.state('theirs'))).toBe(true);
    expect(broker.kept.has(topics.state('strange'))).toBe(true);
  });

  test('nothing is published again that did not change', async () => {
    const broker = await startBroker();
    const { say } = await mirroring(at(broker.url), [session()]);
    await until(() => stateOf(broker.kept, 'ses-1'), 'the state');
    for (let i = 1; i <= 5; i++) say({ sessions: [session({ lastEvent: now + i })], whole: false });
    say({ sessions: [session({ sessionId: 'last' })], whole: false });
    await until(() => stateOf(broker.kept, 'last'), 'the last');
    expect(broker.handed.filter(({ topic }) => topic === topics.state('ses-1'))).toHaveLength(1);
  });

  test.each(['short', 'title'] as const)('at level %s, nothing that was said or run', async (level) => {
    const broker = await startBroker();
    const record = session({
      lastAssistantMessage: 'The key is under the mat.',
      running: [{ id: 'b', type: 'shell', label: 'deploy --key' }] as unknown as SessionRecord['running'],
    });
    await mirroring(at(broker.url), [record], toolsOf(), level);
    await until(() => stateOf(broker.kept, 'ses-1'), 'the state');
    expect(JSON.stringify([...broker.kept])).not.toMatch(/mat|deploy/);
  });

  test.each([
    ['short', ['/work/payments', 'fix-rates', 'Fix the rates']],
    ['title', []],
  ] as const)('at level %s, of folder, branch and name of the session: %j', async (level, shown) => {
    const broker = await startBroker();
    const record = session({ cwd: '/work/payments', branch: 'fix-rates', title: 'Fix the rates' });
    await mirroring(at(broker.url), [record], toolsOf(), level);
    await until(() => stateOf(broker.kept, 'ses-1'), 'the state');
    const kept = JSON.stringify([...broker.kept]);
    expect(['/work/payments', 'fix-rates', 'Fix the rates'].filter((text) => kept.includes(text))).toEqual(shown);
  });

  test('Home Assistant is told of each, and of nothing with `discovery = false`', async () => {
    const [told, silent] = [await startBroker(), await startBroker()];
    await mirroring(at(told.url), [session({ title: 'Fix {{ 1 + 1 }}\u001b[31m' })]);
    await mirroring(at(silent.url, { discovery: false }), [session()]);
    await until(() => stateOf(told.kept, 'ses-1') && stateOf(silent.kept, 'ses-1'), 'the states');
    const configs = [...told.kept].filter(([topic]) => topic.startsWith('homeassistant/'));
    for (const [topic] of configs) expect(topic).toMatch(/^homeassistant\/sensor\/[\w-]+\/[\w-]+\/config$/);
    const [waiting, one] = configs.map(([, payload]) => JSON.parse(payload) as Record<string, string>);
    expect(waiting).toMatchObject({ state_topic: topics.sessions, availability_topic: topics.status });
    expect(one).toMatchObject({
      state_topic: topics.state('ses-1'),
      json_attributes_topic: topics.state('ses-1'),
      value_template: '{{ value_json.state }}',
      availability_topic: topics.status,
      unique_id: expect.stringMatching(/^belfry_[0-9a-f]{10}_session_[0-9a-f]{16}$/),
      name: expect.stringContaining('payments'),
      device: { name: `Belfry on ${HERE.host}` },
    });
    expect(one?.['name']).not.toMatch(/\u001b/);
    expect([...silent.kept.keys()].filter((topic) => !topic.startsWith('belfry/'))).toEqual([]);
  });

  test('two hundred of them are shown, over one connection', async () => {
    const broker = await startBroker();
    await mirroring(
      at(broker.url),
      Array.from({ length: 200 }, (_, i) => session({ sessionId: `s-${i}` })),
    );
    await until(() => broker.kept.get(topics.sessions)?.includes('"total":200'), 'all of them');
    expect([...broker.kept.keys()].filter((topic) => STATE.test(topic))).toHaveLength(200);
    expect(broker.introductions).toHaveLength(1);
  });
});

test.each([
  ['a/b', 'a%2Fb'],
  ['a+b#c', 'a%2Bb%23c'],
  ['50%', '50%25'],
  ['a%2Fb', 'a%252Fb'],
  ['\0\n\u001b', '%00%0A%1B'],
  ['ü', '%C3%BC'],
  ['3f0c-11', '3f0c-11'],
])('%j is the level %s of a topic', (text, level) => {
  expect(topicLevel(text)).toBe(level);
});

test('whatever text is one level that a broker takes, and no two are the same', () => {
  const levels = [...new Set(hostile), '', 'x'.repeat(70_000), 'x'.repeat(70_001)].map(topicLevel);
  for (const level of levels) expect(level).toMatch(/^[^/+#\p{C}]{1,200}$/u);
  expect(new Set(levels).size).toBe(levels.length);
});

test.each([
  ['mqtt://10.0.0.1', { host: '10.0.0.1', port: 1_883, tls: false }],
  ['mqtts://broker.example.com', { host: 'broker.example.com', port: 8_883, tls: true }],
  ['MQTTS://Broker.example.com:443', { host: 'broker.example.com', port: 443, tls: true }],
  ['mqtt://broker.example.com:80/', { host: 'broker.example.com', port: 80, tls: false }],
  ['mqtt://[fd00::1]:1884', { host: 'fd00::1', port: 1_884, tls: false }],
])('%s', (url, address) => {
  expect(brokerAddress(url, true)).toEqual(address);
});

test.each([
  ['https://broker.example.com', 'must begin with mqtts://'],
  ['mqtt://', 'not valid'],
  ['mqtt://h:99999', 'not valid'],
  ['mqtts://h/topic', 'must end after'],
  ['broker.example.com', 'must begin with'],
])('%s is refused where it is written', (url, words) => {
  expect(brokerFault(url)).toContain(words);
  expect(mqtt.schema.safeParse({ url }).success).toBe(false);
});

test.each(['belfry/', '/belfry', '$SYS', 'a/+/b', '#', '', 'a\0b'])('the prefix %j is refused', (prefix) => {
  expect(mqtt.schema.safeParse({ url: 'mqtts://h', prefix }).success).toBe(false);
});
