// Doctor: the clock: not behind times it has shown before.
import { existsSync } from 'node:fs';
import { defineCheck, fail, ok } from './check.ts';

/** Clocks are corrected by seconds; this is a clock that is wrong, ms. */
const AHEAD = 120_000;
/** No event of ours is older than this program. */
const EARLIEST = Date.UTC(2025, 0, 1);

export const clockCheck = defineCheck({
  name: 'clock',
  inspects: 'the clock of this machine, against the latest events',
  fixes: [
    [
      'it was set back, or is far off',
      'set it, for example `timedatectl set-ntp true`; until then later events are out of order',
    ],
  ],
  run: async ({ paths, now }) => {
    const fix = 'set the clock, for example with `timedatectl set-ntp true`';
    if (now < EARLIEST) return [fail(`the clock says ${new Date(now).toISOString()}`, fix)];
    const latest = await latestEvent(paths.database);
    if (latest !== null && latest > now + AHEAD)
      return [
        fail(
          `the latest event is from ${new Date(latest).toISOString()}, which is in the future: the clock was set back`,
          fix,
        ),
      ];
    return [ok('the clock agrees with the events')];
  },
});

async function latestEvent(database: string): Promise<number | null> {
  if (!existsSync(database)) return null;
  const { openReader } = await import('../../store/open-reader.ts');
  try {
    const store = await openReader(database, 'all');
    try {
      return (await store.events({ limit: 1 }))[0]?.event.at ?? null;
    } finally {
      await store.close();
    }
  } catch {
    return null; // reported by the check of the journal
  }
}
