// State beyond one event: mutes, channels' health, cursors.
import { describe, expect, test } from 'vitest';
import { both, type StoreDriver } from './driver.ts';

/** The suite of the state. */
export function testState(driver: StoreDriver): void {
  describe(`state: ${driver.name}`, () => {
    test('keeps mutes, health and cursors: what one writes the other reads', async () => {
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
      expect(await two.cursor('k')).toBeNull();
      await one.setCursor('k', { page: 'x' });
      expect(await two.cursor('k')).toEqual({ page: 'x' });
    });
  });
}
