// State beyond one event: mutes, channels' health.
import { describe, expect, test } from 'vitest';
import { both, type StoreDriver } from './driver.ts';

/** The suite of the state. */
export function testState(driver: StoreDriver): void {
  describe(`state: ${driver.name}`, () => {
    test('keeps mutes and health: what one writes the other reads', async () => {
      const [one, two] = await both(driver);
      const silence = { id: 's', until: 100, session: 'x', cwd: null, channel: null, all: false, createdAt: 1 };
      await one.putSilence(silence);
      await one.putSilence({ ...silence, id: 'r', until: null, session: null });
      expect((await two.silences(100)).map((s) => s.id)).toEqual(['r']);
      expect(await two.removeSilences({ session: 'x' })).toBe(1);
      expect(await one.removeSilences({})).toBe(1);
      const health = {
        channel: 'team',
        state: 'failing',
        since: 1,
        faults: 5,
        reason: 'auth',
        error: 'no',
        probeAt: 9,
        pausedUntil: null,
      } as const;
      await one.setHealth(health);
      expect(await two.health()).toEqual([health]);
    });

    test('a mute has a version that grows, and its changes are followed to its end', async () => {
      const [one, two] = await both(driver);
      const { cursor } = await two.changesSince(null, 0);
      const mute = { id: 'm', until: null, session: null, cwd: null, channel: null, all: false, createdAt: 1 };
      await one.putSilence(mute);
      expect(await two.silences(0)).toEqual([{ ...mute, version: 1 }]);
      await two.putSilence({ ...mute, until: 9 });
      expect(await one.silences(0)).toEqual([{ ...mute, until: 9, version: 2 }]);
      await one.removeSilences({ id: 'm' });
      expect(await one.removeSilences({ id: 'm' })).toBe(0);
      const { changes } = await two.changesSince(cursor, 10);
      expect(changes.map(({ type, id }) => `${type} ${id}`)).toEqual(['mute m', 'mute m', 'mute m']);
    });

    test('that other settings are in force is followed', async () => {
      const [one, two] = await both(driver);
      const { cursor } = await two.changesSince(null, 0);
      await one.noteSettings();
      const { changes } = await two.changesSince(cursor, 10);
      expect(changes.map(({ type, id }) => [type, id])).toEqual([['settings', '']]);
    });
  });
}
