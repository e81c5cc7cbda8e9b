// What every channel has to do whose operations are HTTP requests: whatever the receiver does, the outcome says it, without a secret.
import { afterEach, describe, expect, test } from 'vitest';
import type { ChannelType } from '../../src/model/channel/channel.ts';
import { type Answer, startReceiver } from '../support/receiver.ts';
import { closeChannels, deliver, messageOf, testChannel, toolsOf } from './channel.ts';

/** How the suite reaches one channel. */
export interface HttpChannelCase<S> {
  readonly channel: ChannelType<S>;
  /** What stands in config.toml; must be valid. */
  readonly input: Record<string, unknown>;
  /** Settings that lead to a server at this address, which accepts connections from this machine; with secrets in them. */
  readonly settings: (url: string) => { readonly input: Record<string, unknown>; readonly secrets: readonly string[] };
  /** What the service answers when it accepts. */
  readonly accepted: Answer;
}

const NOW = Date.UTC(2026, 5, 1, 12);
const HOUR = 3_600_000;

/** A form of Retry-After, and the ms that it asks for. */
const RETRY_AFTER: readonly (readonly [string, number | undefined])[] = [
  ['7', 7_000],
  ['0', 0],
  ['1.5', 1_500],
  ['Mon, 01 Jun 2026 12:01:00 GMT', 60_000],
  ['Mon, 01 Jun 2026 11:00:00 GMT', 0],
  ['99999999999', 7 * 24 * HOUR],
  ['soon', undefined],
  ['-1', undefined],
  ['', undefined],
];

/** Runs the suite of every channel, and that of those over HTTP. */
export function testHttpChannel<S>({ channel, input, settings, accepted }: HttpChannelCase<S>): void {
  const started = async (answer: Answer) => {
    const receiver = await startReceiver();
    receiver.answer = () => answer;
    return { receiver, ...settings(receiver.url), arrived: () => receiver.waitFor(1) };
  };
  const never: Answer = () => undefined;
  testChannel({
    channel,
    input,
    unreachable: async () => {
      const receiver = await startReceiver({ owned: false });
      await receiver.close();
      return settings(receiver.url);
    },
    works: () => started(accepted),
    hangs: () => started(never),
  });

  describe(`${channel.type} over HTTP`, () => {
    afterEach(closeChannels);

    test.each(RETRY_AFTER)('Retry-After: %s', async (value, expected) => {
      const { input: given } = await started({ status: 429, headers: { 'retry-after': value } });
      const outcome = await deliver(channel, given, messageOf(), toolsOf({ now: () => NOW }));
      if (outcome.ok) throw new Error('was delivered');
      expect(outcome).toMatchObject({ reason: 'rate-limited' });
      expect(outcome.retryAfter).toBe(expected);
    });

    test('an answer that does not come within `timeout`: it may have arrived', async () => {
      const { input: given, receiver } = await started(never);
      const outcome = await deliver(channel, { ...given, timeout: '300ms' }, messageOf());
      expect(outcome).toMatchObject({ ok: false, reason: 'timeout', unknown: true });
      expect(receiver.requests).toHaveLength(1);
    });

    test.each<[string, Answer]>([
      ['before its headers', (_request, response) => response.destroy()],
      [
        'within its body',
        (_request, response) => {
          response.writeHead(200, { 'content-length': '1000' });
          response.write('beginning', () => response.destroy());
        },
      ],
    ])('an answer cut off %s: it may have arrived', async (_where, answer) => {
      const { input: given } = await started(answer);
      expect(await deliver(channel, given, messageOf())).toMatchObject({ ok: false, unknown: true });
    });

    test.each([500, 200])('an endless answer with %i is read to its limit and kept short', async (status) => {
      let written = 0;
      const { input: given } = await started((_request, response) => {
        response.writeHead(status);
        const more = (): void => {
          if (response.destroyed) return;
          written += 65_536;
          response.write('x'.repeat(65_536), more);
        };
        more();
      });
      const outcome = await deliver(channel, given, messageOf());
      expect(outcome.status).toBe(status);
      expect(outcome.answer?.length ?? 0).toBeLessThanOrEqual(200);
      expect(written).toBeLessThan(50_000_000);
    });

    test.each([200, 400, 500])('secrets that the receiver says back with %i are masked', async (status) => {
      const receiver = await startReceiver();
      const { input: given, secrets } = settings(receiver.url);
      receiver.answer = ({ path }) => ({ status, body: `${path} ${secrets.join(' ')} ${'x'.repeat(50)} ${path}` });
      const outcome = JSON.stringify(await deliver(channel, given, messageOf()));
      for (const secret of secrets) expect(outcome).not.toContain(secret);
    });

    test('a redirect is not followed', async () => {
      const { input: given, receiver } = await started({ status: 307, headers: { location: '/elsewhere' } });
      expect(await deliver(channel, given, messageOf())).toMatchObject({ ok: false, reason: 'invalid-config' });
      expect(receiver.requests).toHaveLength(1);
    });

    test('a private address needs leave', async () => {
      const { input: given, receiver } = await started(accepted);
      const outcome = await deliver(channel, { ...given, allow_private: false }, messageOf());
      expect(outcome).toMatchObject({ ok: false, reason: 'invalid-config' });
      expect(receiver.requests).toHaveLength(0);
    });
  });
}
