// Channels of one account: they keep the service's distances together, take turns, and know of each other's waits and used-up quotas.
import { expect, test } from 'vitest';
import { channels } from '../../../src/channels/index.ts';
import type { ChannelAccount, ChannelType } from '../../../src/model/channel/channel.ts';
import { fail, type Seen, type Stage, stage } from '../worker-harness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const telegram = channels.find(({ type }) => type === 'telegram') as ChannelType;
const chats: Readonly<Record<string, { token: string; chat: number }>> = {
  me: { token: '1:ABCDEFGHIJ', chat: 7 },
  again: { token: '1:ABCDEFGHIJ', chat: 7 },
  group: { token: '1:ABCDEFGHIJ', chat: -70 },
  'group too': { token: '1:ABCDEFGHIJ', chat: -70 },
  stranger: { token: '2:ABCDEFGHIJ', chat: 7 },
};
/** Telegram's own limits, without its requests. */
const settingsOf = (name: string) => telegram.schema.parse(chats[name]);
const ofTelegram = (name: string): ChannelAccount => {
  const account = telegram.account?.(settingsOf(name));
  if (account === undefined) throw new Error('Telegram has accounts');
  return account;
};

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const times = (s: Stage, ...names: string[]): number[] =>
  names
    .flatMap((name) => s.seen[name] ?? [])
    .map(({ at }: Seen) => at)
    .sort((a, b) => a - b);
const closest = (all: readonly number[]): number =>
  Math.min(...all.slice(1).map((at, i) => at - (all[i] ?? Number.NaN)));
/** Most within any stretch of so many ms. */
const mostWithin = (all: readonly number[], ms: number): number =>
  Math.max(...all.map((from) => all.filter((at) => at >= from && at < from + ms).length));

test('two channels of one Telegram bot never exceed its limits together, and neither waits for ever', async () => {
  const names = ['me', 'again', 'group', 'group too', 'stranger'];
  const limits = (name: string) => telegram.limits(settingsOf(name));
  const s = await stage({ channels: names, limits, account: ofTelegram });
  for (const name of names) await s.add(name, ...numbered(`${name} `, 60));
  s.start();
  await s.clock.advance(30 * SECOND);
  const [first = 0, second = 0] = ['me', 'again'].map((name) => s.seen[name]?.length ?? 0);
  expect(first + second).toBeGreaterThanOrEqual(28);
  expect(Math.abs(first - second)).toBeLessThanOrEqual(2);
  await s.clock.advance(8 * MINUTE);
  for (const name of names) expect(s.seen[name]).toHaveLength(60);
  expect(closest(times(s, 'me', 'again'))).toBeGreaterThanOrEqual(SECOND);
  expect(mostWithin(times(s, 'group', 'group too'), MINUTE)).toBeLessThanOrEqual(20);
  expect(mostWithin(times(s, 'me', 'again', 'group', 'group too'), SECOND)).toBeLessThanOrEqual(30);
  expect(closest(times(s, 'me', 'again', 'group', 'group too'))).toBeGreaterThanOrEqual(34);
  expect((times(s, 'stranger').at(-1) ?? 0) - (times(s, 'stranger')[0] ?? 0)).toBe(59 * SECOND); // another bot: its own pace
});

test('what is waiting alone at an account is not slowed down by channels with nothing to send', async () => {
  const shared = () => ({ identity: ['one'], minIntervalMs: SECOND });
  const s = await stage({ channels: ['a', 'b', 'c'], limits: () => ({ concurrency: 1 }), account: shared });
  await s.add('a', ...numbered('a', 30));
  const deliveries = s.start();
  for (let i = 0; i < 30; i++) {
    deliveries.wake();
    await s.clock.advance(SECOND + 50);
  }
  expect(s.seen['a']).toHaveLength(30);
});

const shared = { channels: ['a', 'b', 'apart'], limits: () => ({ concurrency: 1 }) };
const account = (name: string) => ({ identity: [name === 'apart' ? 'two' : 'one'], minIntervalMs: 0 });

test('a used-up quota is known to the other channels of the account, until it renews', async () => {
  const s = await stage({ ...shared, account });
  const renews = s.clock.now() + 5 * HOUR;
  const limited = () => (s.clock.now() < renews ? fail('quota', renews - s.clock.now()) : ({ ok: true } as const));
  for (const name of ['a', 'b']) s.answer(name, limited);
  await s.add('a', 'a1', 'a2');
  s.start();
  await s.clock.advance(MINUTE);
  await s.add('b', 'b1', 'b2');
  await s.add('apart', 'c1');
  await s.clock.advance(4 * HOUR);
  expect([s.seen['a']?.length, s.seen['b']?.length, s.seen['apart']?.length]).toEqual([1, 0, 1]);
  const health = await s.store.health();
  expect(health.find(({ channel }) => channel === 'b')).toMatchObject({
    state: 'failing',
    reason: 'quota',
    probeAt: renews,
    error: expect.stringContaining('as the channel a of the same account was answered'),
  });
  expect(s.raised.map(({ presetText }) => presetText?.title).toSorted()).toEqual([
    'belfry: channel a has used up its quota',
    'belfry: channel b has used up its quota',
  ]);
  await s.clock.advance(2 * HOUR);
  expect({ ...(await s.states('a')), ...(await s.states('b')) }).toEqual({
    a1: 'sent',
    a2: 'sent',
    b1: 'sent',
    b2: 'sent',
  });
});

test('a test that passes on one frees the others too', async () => {
  const s = await stage({ ...shared, account });
  let used = true;
  for (const name of ['a', 'b']) s.answer(name, () => (used ? fail('quota', 5 * HOUR) : { ok: true }));
  await s.add('a', 'a1');
  await s.add('b', 'b1');
  const deliveries = s.start();
  await s.clock.advance(MINUTE);
  const content = (await s.store.deliveries({ ids: ['a1'] }))[0]?.content;
  if (!content) throw new Error('no such delivery');
  used = false;
  expect(await deliveries.sendDirect('b', 't1', content, 'test')).toMatchObject({ ok: true });
  await s.clock.advance(MINUTE);
  expect({ ...(await s.states('a')), ...(await s.states('b')) }).toEqual({ a1: 'sent', b1: 'sent' });
});

test('"not now" silences all channels of the account for the time it names, a test too', async () => {
  const s = await stage({ ...shared, account });
  const over = s.clock.now() + 40 * SECOND;
  for (const name of ['a', 'b'])
    s.answer(name, () => (s.clock.now() < over ? fail('rate-limited', over - s.clock.now()) : { ok: true }));
  await s.add('a', 'a1');
  const deliveries = s.start();
  await s.clock.advance(SECOND);
  await s.add('b', 'b1');
  await s.add('apart', 'c1');
  const content = (await s.store.deliveries({ ids: ['b1'] }))[0]?.content;
  if (!content) throw new Error('no such delivery');
  expect(await deliveries.sendDirect('b', 't1', content, 'test')).toMatchObject({ ok: false, reason: 'rate-limited' });
  await s.clock.advance(38 * SECOND);
  expect([s.seen['a']?.length, s.seen['b']?.length, s.seen['apart']?.length]).toEqual([1, 0, 1]);
  await s.clock.advance(20 * SECOND);
  expect({ ...(await s.states('a')), ...(await s.states('b')) }).toEqual({ a1: 'sent', b1: 'sent' });
});

test.each(channels.filter((channel) => channel.account).map((channel) => [channel.type, channel] as const))(
  'an account of %s keeps at least the distance of one of its channels',
  (_type, channel) => {
    const given: Readonly<Record<string, unknown>> = {
      url: 'https://example.com/x',
      token: '1:ABCDEFGHIJ',
      user: 'u',
      topic: 'topic',
      chat: 7,
      channel: 'C0123456789',
      server: undefined,
    };
    const known = Object.keys((channel.schema as unknown as { shape: object }).shape);
    const settings = channel.schema.parse(
      Object.fromEntries(
        known
          .filter((key) => given[key] !== undefined && (channel.type !== 'ntfy' || key !== 'user'))
          .map((key) => [key, given[key]]),
      ),
    );
    const shares = channel.account?.(settings);
    expect(shares?.identity.length).toBeGreaterThan(0);
    const own = channel.limits(settings).minIntervalMs;
    expect(shares?.place === undefined ? shares?.minIntervalMs : own).toBe(own);
  },
);
