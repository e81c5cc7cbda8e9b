// Mutes that end while something is written for them: the digest is due at once, and only then do timers have to be looked at again.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endStaleMutes } from '../../../src/decisions/batch/stale-holds.ts';
import { openStore } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../support/home.ts';
import { NOON } from '../../support/made.ts';

test.each<[name: string, holds: readonly string[], due: readonly string[]]>([
  ['no mute', ['quiet', 'group:1'], []],
  ['one in force', ['mute:m1'], []],
  ['one that has ended', ['mute:gone'], ['mute:gone']],
  ['both', ['mute:m1', 'mute:gone', 'mute:gone'], ['mute:gone']],
])('of %s', async (_name, holds, due) => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { now: () => NOON });
  onTestFinished(() => store.close());
  const scope = { session: null, cwd: null, channel: null, all: false };
  await store.putSilence({ id: 'm1', until: NOON + 60_000, ...scope, createdAt: NOON - 1 });
  expect(await endStaleMutes(holds, store, NOON)).toBe(due.length > 0);
  expect((await store.timers([...new Set(holds)])).map((timer) => [timer.id, timer.due])).toEqual(
    due.map((id) => [id, NOON]),
  );
});
