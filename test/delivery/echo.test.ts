// A receiver that says its secrets back: they reach neither the database nor the log nor an error, through any channel.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slack } from '../../src/channels/slack.ts';
import { webhook } from '../../src/channels/webhook.ts';
import { createDeliveryService } from '../../src/delivery/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { ChannelType } from '../../src/model/channel/channel.ts';
import { openStore } from '../../src/store/open.ts';
import { deliver, messageOf } from '../contracts/channel.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDelivery } from '../support/made.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';

const PATH = '/services/T0001/B0002/pathsecret42';
const KEY = 'whsec_c2lnbmluZ3NlY3JldA==';
const NEVER: Readonly<Record<string, readonly string[]>> = {
  slack: ['pathsecret42'],
  webhook: ['pathsecret42', 'c2lnbmluZ3NlY3JldA', 'signingsecret'],
};

/** What is said back: of a request's path and the channel's key. */
const ECHOES: readonly (readonly [string, number, (path: string) => string])[] = [
  ['whole', 500, (path) => `no ${path} with ${KEY}`],
  ['beyond what is kept', 500, (path) => `${'x'.repeat(190)}${path}${KEY}`],
  ['again and again', 500, (path) => `${path}${KEY} `.repeat(400)],
  ['with controls in between', 500, (path) => [...path].join('\x00') + [...KEY].join('\x1b[0m')],
  ['with a 200', 200, (path) => `thanks for ${path} and ${KEY}`],
  ['as a refusal', 403, (path) => JSON.stringify({ ok: false, error: 'invalid_auth', path, key: KEY })],
];

const entries = [
  [slack as unknown as ChannelType, {}],
  [webhook as unknown as ChannelType, { secret: KEY }],
] as const;

test.each(entries.flatMap(([channel, more]) => ECHOES.map((echo) => [channel.type, ...echo, channel, more] as const)))(
  '%s: %s',
  async (_type, _how, status, echo, channel, more) => {
    const folder = join(temporaryFolder(), 'state');
    const receiver = await startReceiver();
    receiver.answer = ({ path }) => ({ status, body: echo(path) });
    const store = await openStore(join(folder, 'belfry.db'));
    const logged: string[] = [];
    const settings = { url: receiver.url + PATH, allow_private: true, ...more };
    const deliveries = createDeliveryService(
      {
        store,
        clock: systemClock,
        env: {},
        platform: 'linux',
        stateFolder: folder,
        log: (message, fields) => void logged.push(JSON.stringify([message, fields])),
        random: () => 0.5,
        raise: async (event) => void logged.push(JSON.stringify(event)),
      },
      new Map([['team', { name: 'team', channel, settings, level: 'full' } as const]]),
    );
    await store.addDelivery(madeDelivery({ due: 0 }));
    deliveries.wake();
    await until(async () => (await store.attempts('delivery-0001')).length > 0, 'an attempt');
    const direct = await deliveries.sendDirect('team', 'x', madeDelivery().content, 'test');
    const attempts = await store.attempts('delivery-0001');
    expect(attempts[0]?.answer?.length).toBeLessThanOrEqual(200);
    await deliveries.stop();
    await store.close();
    const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
    for (const text of [...bytes, ...logged, JSON.stringify(direct)])
      for (const secret of NEVER[channel.type] ?? []) expect(text).not.toContain(secret);
  },
);

test('a secret that looks like a word of Slack is not taken for one', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => ({ status: 400, body: 'mykey_wordsecret' });
  const settings = { url: `${receiver.url}/mykey_wordsecret`, allow_private: true };
  expect(JSON.stringify(await deliver(slack, settings, messageOf()))).not.toContain('wordsecret');
});
