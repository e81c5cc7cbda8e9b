// What people answer through a channel: received while it is configured, with its settings; buttons only where somebody listens.
import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { createDeliveryService, type ConfiguredChannel } from '../../../src/delivery/index.ts';
import type { ChannelType, InboundAnswer, OutgoingMessage } from '../../../src/model/channel/channel.ts';
import { madeDecision, madeDelivery, madeNotification } from '../../support/made.ts';
import { until } from '../../support/wait.ts';
import { stage } from '../worker-harness.ts';
import { commitOne } from '../../support/store-writes.ts';

type On = (answer: InboundAnswer) => Promise<string>;
type HasOpen = () => Promise<boolean>;
const ANSWER: InboundAnswer = { reference: 'r', replyTo: null, text: null, by: { id: '1', name: 'ada' }, at: 0 };

/** A channel that listens under `listens`; what it did is recorded. */
async function listening(
  setup: { buttons?: boolean; receive?: (on: On, signal: AbortSignal, hasOpen?: HasOpen) => Promise<void> } = {},
) {
  const s = await stage();
  const events: string[] = [];
  const sent: OutgoingMessage[] = [];
  let press: On = async () => '';
  const idle = (on: On, signal: AbortSignal): Promise<void> => {
    press = on;
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  const channel: ChannelType = {
    ...(s.channels.get('team') as ConfiguredChannel).channel,
    schema: z.unknown(),
    capabilities: { receive: 'listens', buttons: setup.buttons ?? true },
    open: (settings) => ({
      send: async (message) => {
        sent.push(message);
        return { ok: true };
      },
      receive: async (on, signal, hasOpen) => {
        events.push(`begin ${JSON.stringify(settings)}`);
        await (setup.receive ?? idle)(on, signal, hasOpen);
        events.push('end');
      },
      close: async () => void events.push('close'),
    }),
  };
  const withSettings = (settings: object) =>
    new Map([['team', { name: 'team', channel, settings, level: 'full' } as const]]);
  const logged: string[] = [];
  const service = (settings: object) => {
    const made = createDeliveryService(
      {
        store: s.store,
        clock: s.clock,
        env: {},
        platform: 'linux',
        random: () => 0.5,
        raise: async () => undefined,
        log: (message) => void logged.push(message),
        stateFolder: '/nowhere',
        inbound: {
          acknowledgeWith: (name, id) => `${name}/${id}`,
          goOnWith: async () => [],
          showWith: (name, { id }) => `${name}/show/${id}`,
          showQuestion: async () => ({ question: null, note: null, settled: null }),
          take: async (name, { by }) => `${by.name} through ${name}`,
        },
      },
      withSettings(settings),
    );
    onTestFinished(() => made.stop(0));
    return made;
  };
  return { s, events, sent, logged, service, withSettings, press: (answer: InboundAnswer) => press(answer) };
}

test('hands over answers, begins again with other settings, ends with the daemon, and never runs twice', async () => {
  const { events, service, withSettings, press } = await listening();
  const deliveries = service({ listens: 1 });
  await until(() => events.length === 1, 'the beginning');
  expect(await press(ANSWER)).toBe('ada through team');
  deliveries.configure(withSettings({ listens: 1 }));
  deliveries.configure(withSettings({ listens: 2 }));
  await until(() => events.length === 4, 'the new one');
  expect(events).toEqual([
    'begin {"listens":1}',
    'end',
    expect.stringMatching(/close|begin/),
    expect.stringMatching(/close|begin/),
  ]);
  deliveries.configure(withSettings({}));
  await until(() => events.filter((event) => event === 'end').length === 2, 'the end');
  await deliveries.stop(0);
  expect(events.filter((event) => event.startsWith('begin'))).toHaveLength(2);
});

test('a receiver that breaks off is logged, and what is sent still goes out', async () => {
  const receive = async (): Promise<void> => {
    throw new Error('with a secret');
  };
  const { s, sent, logged, service } = await listening({ receive });
  const deliveries = service({ listens: true });
  await until(() => logged.length > 0, 'the log');
  expect(logged).toEqual(['delivery: answers are not received any more']);
  await s.store.addDelivery(madeDelivery({ id: 'd', due: s.clock.now(), channel: 'team' }));
  deliveries.wake();
  await until(() => sent.length === 1, 'the delivery');
});

test('a receiver is told whether its channel has messages that are still open, without any being read', async () => {
  const told: (boolean | undefined)[] = [];
  const receive = async (_on: On, _signal: AbortSignal, hasOpen?: HasOpen): Promise<void> => {
    told.push(await hasOpen?.());
  };
  const { s, service, logged } = await listening({ receive });
  let read = 0;
  const { notifications } = s.store;
  s.store.notifications = (filter) => {
    read++;
    return notifications(filter);
  };
  service({ listens: true });
  const next = async (): Promise<boolean | undefined> => {
    const before = told.length;
    await until(async () => {
      await s.clock.advance(600_000);
      return told.length > before;
    }, 'the next run');
    return told.at(-1);
  };
  expect(await next()).toBe(false);
  await commitOne(s.store, madeDecision({ notifications: [madeNotification()] }));
  await s.store.addDelivery(madeDelivery({ channel: 'team', state: 'sent' }));
  expect(await next()).toBe(true);
  expect(logged).toEqual([]);
  expect(read).toBe(0);
});

test('a receiver that ended by itself runs again', async () => {
  const { s, events, service } = await listening({ receive: async () => undefined });
  service({ listens: true });
  await until(async () => {
    await s.clock.advance(600_000);
    return events.filter((event) => event.startsWith('begin')).length >= 2;
  }, 'the second run');
});

test('a receiver that ended by itself many times leaves nothing behind', async () => {
  let runs = 0;
  const left: number[] = [];
  const receive = async (_on: On, signal: AbortSignal): Promise<void> => {
    runs++;
    left.push(getEventListeners(signal, 'abort').length);
  };
  const { s, service } = await listening({ receive });
  service({ listens: true });
  await until(async () => {
    await s.clock.advance(600_000);
    return runs >= 5;
  }, 'five runs');
  expect(new Set(left).size).toBe(1);
});

test.each([
  ['listens', { listens: true }, true, 'team/ntf_0001'],
  ['does not listen', {}, true, null],
  ['has no buttons', { listens: true }, false, null],
] as const)('a channel that %s is given a reference: %o', async (_name, settings, buttons, expected) => {
  const { s, sent, service } = await listening({ buttons });
  await s.store.addDelivery(madeDelivery({ id: 'd', due: s.clock.now(), channel: 'team' }));
  service(settings);
  await until(() => sent.length === 1, 'the delivery');
  expect(sent[0]?.acknowledgeWith).toBe(expected);
  expect(sent[0]?.showWith).toBe(expected === null ? null : 'team/show/d');
});

test('sessions are shown at the level in force, and again when it changes', async () => {
  const s = await stage();
  const shown: string[] = [];
  const channel: ChannelType = {
    ...(s.channels.get('team') as ConfiguredChannel).channel,
    capabilities: { mirror: true },
    open: () => ({
      send: async () => ({ ok: true }),
      mirror: async (_sessions, level, signal) => {
        shown.push(level);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        shown.push('end');
      },
      close: async () => undefined,
    }),
  };
  const never = { done: true, value: undefined } as const;
  const at = (level: ConfiguredChannel['level']) => new Map([['team', { name: 'team', channel, settings: {}, level }]]);
  const deliveries = createDeliveryService(
    {
      store: s.store,
      clock: s.clock,
      env: {},
      platform: 'linux',
      random: () => 0.5,
      log: () => undefined,
      raise: async () => undefined,
      stateFolder: '/nowhere',
      sessions: { follow: () => ({ [Symbol.asyncIterator]: () => ({ next: async () => never }) }) }, // not read here
    },
    at('title'),
  );
  onTestFinished(() => deliveries.stop(0));
  await until(() => shown.length === 1, 'the first');
  deliveries.configure(at('title'));
  deliveries.configure(at('short'));
  await until(() => shown.length === 3, 'the second');
  expect(shown).toEqual(['title', 'end', 'short']);
});
