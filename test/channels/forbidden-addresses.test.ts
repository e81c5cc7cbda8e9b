// Every channel that takes an address, with every address of test/fixtures/forbidden-urls.json: refused as a fault of the settings, and nothing is connected to.
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { channelOf, channels } from '../../src/channels/index.ts';
import { URL_SETTINGS } from '../../src/lib/net/outbound-url-schema.ts';
import { capabilitiesOf } from '../../src/model/channel/capabilities.ts';
import forbidden from '../fixtures/forbidden-urls.json' with { type: 'json' };
import { closeChannels, deliver, messageOf, toolsOf } from '../contracts/channel.ts';
import { TOKEN } from '../support/telegram-server.ts';

/** Settings besides the address, by type; and the address's key. */
const TYPES: Readonly<Record<string, readonly [string, object]>> = {
  ntfy: ['server', { topic: 'belfry-k3y5n8m2q7r4t6w9' }],
  telegram: ['api_url', { token: TOKEN, chat: 7 }],
  slack: ['url', {}],
  'slack-app': ['api_url', { token: 'xoxb-1', channel: 'C0123456789' }],
  discord: ['url', {}],
  teams: ['url', {}],
  pushover: ['api_url', { token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi', user: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' }],
  webhook: ['url', {}],
  mqtt: ['url', {}],
};

/** As it would be written for a channel that is not reached over HTTP. */
const addressFor = (type: string, url: string): string =>
  (type === 'mqtt' ? url.replace(/^http(s?:\/\/[^/?#]*).*$/, 'mqtt$1') : url).replace('PORT', String(port));

/** Settings with which people's answers are listened to, by type. */
const LISTENING: Readonly<Record<string, object>> = {
  ntfy: { answer_topic: 'belfry-answers-k3y5n8m2q7r4' },
  telegram: { allow: [7] },
  'slack-app': { app_token: 'xapp-1' },
};

let port = 0;
let reached = 0;
const listener = createServer((socket) => {
  reached++;
  socket.destroy();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  port = (listener.address() as { port: number }).port;
});
afterAll(() => new Promise((resolve) => listener.close(resolve)));

test('no channel that takes an address is left out', () => {
  const properties = (schema: z.ZodType): string[] =>
    Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {});
  const taking = channels.filter(({ schema }) => properties(schema).some((key) => URL_SETTINGS.includes(key)));
  expect(taking.map(({ type }) => type).sort()).toEqual(Object.keys(TYPES).sort());
});

test('nor one that listens there', () => {
  const listening = Object.entries(TYPES).flatMap(([type, [key, more]]) => {
    const channel = channelOf(type);
    const settings = channel?.schema.parse({
      [key]: addressFor(type, 'https://example.com/a'),
      ...more,
      ...LISTENING[type],
    });
    return channel && capabilitiesOf(channel, settings).receive ? [type] : [];
  });
  expect(listening.sort()).toEqual(Object.keys(LISTENING).sort());
});

test.each([...Object.entries(TYPES), ['email', ['host', { from: 'a@example.com', to: 'a@example.com' }]] as const])(
  'what to correct where the address of %s is none is the setting that has it',
  async (type, [key, more]) => {
    const channel = channelOf(type);
    if (!channel) throw new Error(`there is no ${type}`);
    const valid = type === 'email' ? 'mail.example.com' : addressFor(type, 'https://example.com/a');
    // As a secret or a variable brings it: what is written out is refused before.
    const settings = { ...(channel.schema.parse({ ...more, [key]: valid }) as object), [key]: 'no:address:' };
    const { signal } = new AbortController();
    const found = await channel.check({ ...settings, allow_private: false }, { ...toolsOf(), signal });
    const failed = found.filter(({ level }) => level === 'fail');
    expect(failed).toMatchObject([{ fix: expect.stringContaining(`correct \`${key}\``) }]);
  },
);

describe.each(Object.entries(LISTENING))('%s listens', (type, listening) => {
  test('at none of them: it ends by itself', async () => {
    const channel = channelOf(type);
    const [key, more] = TYPES[type] ?? ['', {}];
    if (!channel) throw new Error(`there is no ${type}`);
    const { signal } = new AbortController();
    for (const { url, why } of forbidden.filter((entry) => !('resolves' in entry))) {
      const read = channel.schema.safeParse({ ...more, ...listening, [key]: url.replace('PORT', String(port)) });
      if (!read.success) continue; // refused where it is written
      const open = channel.open({ ...(read.data as object), allow_private: false }, toolsOf());
      expect(open.receive, type).toBeDefined();
      await open.receive?.(() => Promise.reject(new Error(`${url}: ${why}`)), signal);
      await open.close?.();
    }
    expect(reached).toBe(0);
  });
});

describe.each(Object.entries(TYPES))('%s', (type, [key, more]) => {
  afterAll(closeChannels);
  const literal = forbidden.filter((entry) => !('resolves' in entry));
  test(`${literal.length} addresses`, async () => {
    const channel = channelOf(type);
    if (!channel) throw new Error(`there is no ${type}`);
    for (const { url, why } of literal) {
      const settings = { ...more, [key]: addressFor(type, url) };
      if (!channel.schema.safeParse(settings).success) continue; // refused where it is written
      const outcome = await deliver(channel, settings, messageOf());
      expect(outcome, `${url}: ${why}`).toMatchObject({ ok: false, reason: 'invalid-config' });
    }
    expect(reached).toBe(0);
  });
});
