// When a channel is opened and closed: first use, changed settings, removal, the daemon's end; never while it is in use.
import { expect, test } from 'vitest';
import type { ConfiguredChannel } from '../../../src/delivery/index.ts';
import type { ChannelType } from '../../../src/model/channel/channel.ts';
import { type Stage, stage } from '../worker-harness.ts';

/** The stage's channel, noting what happens to its instances. */
function noted(s: Stage): { configured: (settings: unknown) => Map<string, ConfiguredChannel>; log: string[] } {
  const log: string[] = [];
  const [first] = s.channels.values();
  if (!first) throw new Error('the stage has no channel');
  let count = 0;
  const open: ChannelType['open'] = (settings, tools) => {
    const made = first.channel.open(settings, tools);
    const id = ++count;
    log.push(`open ${id}`);
    return {
      send: async (message, context) => {
        const outcome = await made.send(message, context);
        log.push(`sent ${message.id} by ${id}`);
        return outcome;
      },
      close: async () => void log.push(`close ${id}`),
    };
  };
  const channel = { ...first.channel, open };
  return { log, configured: (settings) => new Map([[first.name, { ...first, channel, settings }]]) };
}

test('opened when first used, kept while its settings are the same, closed when they change and at the end', async () => {
  const s = await stage();
  const { configured, log } = noted(s);
  const deliveries = s.start(configured({ a: { b: 1 } }));
  await s.clock.advance(0);
  expect(log).toEqual([]);
  await s.add('team', 'one');
  await s.clock.advance(0);
  deliveries.configure(configured({ a: { b: 1 } }));
  await s.add('team', 'two');
  await s.clock.advance(0);
  expect(log).toEqual(['open 1', 'sent one by 1', 'sent two by 1']);
  deliveries.configure(configured({ a: { b: 2 } }));
  await s.clock.advance(0);
  expect(log.at(-1)).toBe('close 1');
  await s.add('team', 'three');
  await s.clock.advance(0);
  await deliveries.stop(0);
  expect(log.slice(4)).toEqual(['open 2', 'sent three by 2', 'close 2']);
});

test('an instance in use finishes first, while the next already sends', async () => {
  const s = await stage();
  const { configured, log } = noted(s);
  let end = (): void => undefined;
  s.answer('team', (message) =>
    message.id === 'slow' ? new Promise((resolve) => (end = () => resolve({ ok: true }))) : { ok: true },
  );
  const deliveries = s.start(configured({ n: 1 }));
  await s.add('team', 'slow');
  await s.clock.advance(0);
  deliveries.configure(configured({ n: 2 }));
  await s.add('team', 'fast');
  await s.clock.advance(0);
  expect(log).toEqual(['open 1', 'open 2', 'sent fast by 2']);
  end();
  await s.clock.advance(0);
  expect(log.slice(3)).toEqual(['sent slow by 1', 'close 1']);
});

test('a removed channel is closed', async () => {
  const s = await stage();
  const { configured, log } = noted(s);
  const deliveries = s.start(configured({}));
  await s.add('team', 'one');
  await s.clock.advance(0);
  deliveries.configure(new Map());
  await s.clock.advance(30_000);
  expect(log).toEqual(['open 1', 'sent one by 1', 'close 1']);
});

test('a channel that cannot be opened fails as a fault of the settings, without its words', async () => {
  const s = await stage();
  const [first] = s.channels.values();
  if (!first) throw new Error('the stage has no channel');
  const open = (): never => {
    throw new TypeError('secret in it');
  };
  s.start(new Map([['team', { ...first, channel: { ...first.channel, open } }]]));
  await s.add('team', 'one');
  await s.clock.advance(0);
  const [attempt] = await s.store.attempts('one');
  expect(attempt).toMatchObject({ ok: false, reason: 'invalid-config', error: expect.stringContaining('TypeError') });
  expect(attempt?.error).not.toContain('secret');
});
