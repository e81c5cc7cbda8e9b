// The word that a channel is failing, where it waits at channels that fail themselves.
import { expect, test } from 'vitest';
import { madeDecision, madeDelivery, madeEvent, madeContent } from '../../support/made.ts';
import { fail, type Stage, stage } from '../worker-harness.ts';
import { commitOne } from '../../support/store-writes.ts';

const MINUTE = 60_000;

/** As the daemon would: each failing channel is reported on all the others. */
async function tell(s: Stage): Promise<void> {
  for (const event of s.raised) {
    const about = String(event.attributes['channel']);
    const others = [...s.channels.keys()].filter((name) => name !== about);
    const at = s.clock.now();
    const deliveries = others.map((channel) =>
      madeDelivery({
        id: `${about} at ${channel}`,
        eventId: event.id,
        channel,
        threadKey: event.id,
        content: madeContent({ title: `${about} fails`, event }),
        due: at,
        createdAt: at,
        updatedAt: at,
      }),
    );
    const events = [{ event: madeEvent({ ...event }), fingerprint: null, verdicts: [] }];
    await commitOne(s.store, madeDecision({ entryId: event.id, events, deliveries }));
  }
}

const titles = (s: Stage, channel: string) =>
  s.seen[channel]?.map(({ title }) => title).filter((title) => title.endsWith(' fails'));

test('reported at once on working channels; elsewhere on recovery, and only what still fails', async () => {
  const s = await stage({ channels: ['well', 'one', 'two', 'three'], limits: { concurrency: 1 } });
  const broken = new Set(['one', 'two', 'three']);
  for (const name of broken) {
    s.answer(name, () => (broken.has(name) ? fail('auth') : { ok: true }));
    await s.add(name, `${name}:1`);
  }
  const deliveries = s.start();
  await s.clock.advance(0);
  expect(s.raised).toHaveLength(3);
  await tell(s);
  deliveries.wake();
  await s.clock.advance(MINUTE);
  expect(titles(s, 'well')?.sort()).toEqual(['one fails', 'three fails', 'two fails']);
  expect(await s.states('two')).toMatchObject({ 'one at two': 'paused', 'three at two': 'paused' });

  broken.delete('one');
  deliveries.probe('one');
  await s.clock.advance(MINUTE);
  expect(titles(s, 'one')).toEqual(['two fails', 'three fails']);
  expect(await s.states('two')).toMatchObject({ 'one at two': 'cancelled', 'three at two': 'paused' });

  // One that leaves the settings fails no more.
  deliveries.configure(new Map([...s.channels].filter(([name]) => name !== 'three')));
  await s.clock.advance(MINUTE);
  broken.delete('two');
  deliveries.probe('two');
  await s.clock.advance(MINUTE);
  expect(await s.states('two')).toMatchObject({
    'one at two': 'cancelled',
    'three at two': 'cancelled',
    'two:1': 'sent',
  });
});

test('a failing channel that leaves the settings and comes back starts over', async () => {
  const s = await stage();
  s.answer('team', (_p, nth) => (nth === 1 ? fail('auth') : { ok: true }));
  await s.add('team', 'a');
  const deliveries = s.start();
  await s.clock.advance(0);
  deliveries.configure(new Map());
  await s.clock.advance(MINUTE);
  deliveries.configure(s.channels);
  await s.add('team', 'b');
  await s.clock.advance(MINUTE);
  expect(await s.states()).toEqual({ a: 'dead', b: 'sent' });
});
