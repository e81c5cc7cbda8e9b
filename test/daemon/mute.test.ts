// `mute` of what is muted already takes its place: what was held waits for the new end, and is let out there.
import { expect, onTestFinished, test } from 'vitest';
import type { Silence } from '../../src/model/event/verdict.ts';
import { type World, world } from '../oracle/world.ts';

const START = Date.UTC(2026, 0, 5, 12);
const MINUTE = 60_000;
const CHANNELS = '[channels.desk]\ntype = "desktop"\n[channels.phone]\ntype = "ntfy"\ntopic = "belfry-of-the-tests"\n';
const SETTINGS = `${CHANNELS}[[routes]]\nto = ["desk", "phone"]\n`;

async function here(): Promise<World> {
  const made = await world(SETTINGS, START);
  onTestFinished(() => made.close());
  return made;
}

interface Muted {
  readonly id: string;
  readonly until: string | null;
  readonly before: string | null;
  readonly longer: readonly string[];
}

const mute = async (at: World, args: Readonly<Record<string, unknown>>): Promise<Muted> =>
  (await at.command('mute', args)) as Muted;

const inForce = async (at: World): Promise<readonly Pick<Silence, 'id' | 'until' | 'all'>[]> =>
  (await at.daemon().store.silences(at.clock.now())).map(({ id, until, all }) => ({ id, until, all }));

/** Minutes and channels of what was sent. */
const sent = ({ told }: World): readonly string[] =>
  told.map(({ at, to }) => `${Math.round(at / MINUTE)} ${to}`).sort();

const report = (at: World, urgency = 'normal') =>
  at.command('send', { title: 'Deployed', body: 'to staging', urgency });

test('a shorter mute takes the place of a longer one, with what that has held', async () => {
  const at = await here();
  const first = await mute(at, { ms: 480 * MINUTE });
  expect(first).toMatchObject({ before: null, longer: [] });
  await report(at);
  await at.pass(MINUTE);
  const end = at.clock.now() + 10 * MINUTE;
  const second = await mute(at, { ms: 10 * MINUTE });
  expect(second).toMatchObject({
    id: first.id,
    until: new Date(end).toISOString(),
    before: expect.stringMatching(/^until 2026-01-0\d \d\d:\d\d:\d\d$/),
    longer: [],
  });
  expect(await inForce(at)).toEqual([{ id: first.id, until: end, all: false }]);
  await at.pass(9 * MINUTE);
  expect(sent(at)).toEqual([]);
  await at.pass(2 * MINUTE);
  expect(sent(at)).toEqual(['11 desk', '11 phone']);
});

test('a longer one, one until unmuted, and one of urgent events too', async () => {
  const at = await here();
  const { id } = await mute(at, { ms: 10 * MINUTE });
  await report(at);
  await mute(at, { ms: 30 * MINUTE, all: true });
  await report(at, 'urgent');
  await at.pass(20 * MINUTE);
  expect(sent(at)).toEqual([]);
  // Urgent events pass again: what it held of those goes out now.
  expect(await mute(at, {})).toMatchObject({ id, until: null });
  await at.pass(MINUTE);
  expect(sent(at)).toEqual(['20 desk', '20 phone']);
  expect(await inForce(at)).toEqual([{ id, until: null, all: false }]);
  await at.command('unmute');
  await at.pass(MINUTE);
  expect(sent(at)).toEqual(['20 desk', '20 phone', '21 desk', '21 phone']);
});

test('another session, folder or channel is muted beside it; what still holds afterwards is said', async () => {
  const at = await here();
  const all = await mute(at, { ms: 60 * MINUTE });
  const phone = await mute(at, { ms: 10 * MINUTE, channel: 'phone' });
  expect(phone).toMatchObject({ before: null, longer: [expect.stringMatching(/^everything, until /)] });
  expect(phone.id).not.toBe(all.id);
  // That one lets urgent events through, so it is no more than this one where those are muted too.
  expect(await mute(at, { ms: 20 * MINUTE, channel: 'phone', all: true })).toMatchObject({
    id: phone.id,
    before: expect.stringMatching(/^until /),
    longer: [],
  });
  expect(await mute(at, { session: 's' })).toMatchObject({ before: null, longer: [] });
  expect(await mute(at, { cwd: '/src' })).toMatchObject({ before: null, longer: [] });
  expect((await inForce(at)).length).toBe(4);
});

test('several of the same subject, as an earlier version left them, become one', async () => {
  const at = await here();
  const { store } = at.daemon();
  const of = { session: null, cwd: null, channel: null, all: false, createdAt: START, reason: null };
  await store.putSilence({ id: 'one', until: START + 60 * MINUTE, ...of });
  await store.putSilence({ id: 'two', until: START + 120 * MINUTE, ...of });
  await report(at);
  const end = at.clock.now() + 5 * MINUTE;
  await mute(at, { ms: 5 * MINUTE });
  expect(await inForce(at)).toEqual([{ id: 'one', until: end, all: false }]);
  await at.pass(6 * MINUTE);
  expect(sent(at)).toEqual(['5 desk', '5 phone']);
});
