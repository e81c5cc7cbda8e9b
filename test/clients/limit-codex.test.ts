// Real Codex at its usage limit: Belfry knows until when, and it goes on once after the reset, by command or by the settings.
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { type AskedWorld, worldOf } from './asked-clients.ts';
import { codexLimit } from './model/failures.ts';
import { eventsIn, letGoOn, limitsIn, openAndFail, sessionIn, stoppedAs } from './stopped-session.ts';

/** The reset, the pause after it and what a busy machine adds, ms. */
const LIMIT = 400_000;

interface Way {
  readonly way: string;
  /** Whether people hear beforehand that it goes on. */
  readonly isOwn: boolean;
  readonly before: (w: AskedWorld) => Promise<void>;
  readonly after: (w: AskedWorld) => Promise<void>;
}

const nothing = () => Promise.resolve();
const WAYS: readonly Way[] = [
  {
    way: 'by command',
    isOwn: false,
    before: nothing,
    after: async (w) => {
      await stoppedAs(w, 'ready');
      const planned = { code: 0, stdout: expect.stringMatching(/^project: goes on at \d\d:\d\d\n$/) };
      expect(await w.belfry('continue', '--at', 'reset')).toMatchObject(planned);
    },
  },
  { way: 'by the settings', isOwn: true, before: letGoOn, after: nothing },
];

test.each(WAYS)('$way', async ({ isOwn, before, after }) => {
  const w = await worldOf('codex')();
  if (w === null) return;
  await before(w);
  let resetsAt = 0;
  await openAndFail(w, () => {
    resetsAt = Math.ceil(Date.now() / 1_000) * 1_000 + 10_000;
    return codexLimit(resetsAt / 1_000);
  });
  await after(w);
  const resets_at = new Date(resetsAt).toISOString();
  const row = await stoppedAs(w, 'planned');
  expect(row).toMatchObject({ agent: 'codex', cause: 'limit', limit: 'five-hour', resets_at });
  expect(Date.parse(row.next_at ?? '')).toBeGreaterThan(resetsAt);
  expect((await sessionIn(w)).limit).toEqual({ name: 'five-hour', resets_at, goes_on: false });
  expect(await limitsIn(w)).toEqual([{ agent: 'codex', limit: '5-hour limit', resets_at, sessions: 1, continuing: 1 }]);
  const [reached] = await eventsIn(w, 'limit.reached', 'five-hour');
  expect(reached?.presetText?.body.includes('`belfry continue --not-now` prevents that')).toBe(isOwn);
  w.model.failure = null;
  const earlier = w.model.prompts.length;
  await until(() => w.model.prompts.length > earlier, 'the model to read it', LIMIT);
  expect(Date.now()).toBeGreaterThan(resetsAt);
  await until(async () => (await sessionIn(w)).state === 'finished', 'it to finish');
  await until(async () => (await eventsIn(w, 'agent.other', 'continued')).length > 0, 'Belfry to say so');
  expect((await w.belfry('continue')).stdout).toBe('No session has stopped.\n');
  expect(w.model.prompts.slice(earlier)).toEqual(['say it again\ncontinue']);
  expect(await limitsIn(w)).toEqual([]);
});
