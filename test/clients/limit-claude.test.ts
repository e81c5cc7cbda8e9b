// Real Claude goes on by itself after its five hours: Belfry says so and until when, gives it nothing, whatever the settings, and hears when it goes on.
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { answerWorld } from './answer-world.ts';
import { anthropicLimit } from './model/failures.ts';
import { claudeToday, subscribed } from './real/claude.ts';
import { eventsIn, letGoOn, limitsIn, openAndFail, sessionIn, stoppedAs, stoppedIn } from './stopped-session.ts';

const REFUSED = { code: 5, stdout: 'project: nothing was sent: its client goes on by itself\n' };
const DAY = 86_400;
/** It goes on some two minutes after the reset, ms. */
const ITSELF = 400_000;

test(`claude ${claudeToday.version} after its five hours`, async () => {
  const w = await answerWorld(['--answer'], subscribed(claudeToday));
  if (w === null) return;
  await letGoOn(w);
  let resetsAt = 0;
  await openAndFail(w, () => {
    resetsAt = Math.ceil(Date.now() / 1_000) + 15;
    return anthropicLimit(resetsAt);
  });
  const resets_at = new Date(resetsAt * 1_000).toISOString();
  const row = await stoppedAs(w, 'itself');
  expect(row).toMatchObject({ agent: 'claude', cause: 'limit', limit: 'five-hour', resets_at, next_at: resets_at });
  expect((await sessionIn(w)).limit).toEqual({ name: 'five-hour', resets_at, goes_on: true });
  expect(await limitsIn(w)).toEqual([
    { agent: 'claude', limit: '5-hour limit', resets_at, sessions: 1, continuing: 0 },
  ]);
  w.model.failure = null;
  const before = w.model.prompts.length;
  for (const when of [[], ['--at', 'reset']]) expect(await w.belfry('continue', ...when)).toMatchObject(REFUSED);
  await until(() => w.model.prompts.length > before, 'the client to go on', ITSELF);
  await until(async () => (await sessionIn(w)).state === 'finished', 'it to finish');
  // By then Belfry would have given it an instruction, too: it does so within a minute after the reset.
  expect(w.model.prompts.slice(before)).toEqual([expect.stringContaining('Your claude.ai usage limit has reset.')]);
  expect(await stoppedIn(w)).toEqual([]);
  expect(await limitsIn(w)).toEqual([]);
  for (const kind of ['limit.reached', 'limit.reset'] as const)
    expect(await eventsIn(w, kind, 'five-hour')).toHaveLength(1);
  expect(await eventsIn(w, 'agent.other', 'continued')).toEqual([]);
});

test(`claude ${claudeToday.version} after its week, which is over within a day`, async () => {
  const w = await answerWorld(['--answer'], subscribed(claudeToday));
  if (w === null) return;
  let resetsAt = 0;
  const terminal = await openAndFail(w, () => {
    resetsAt = Math.ceil(Date.now() / 1_000) + DAY / 2;
    return anthropicLimit(resetsAt, '7d');
  });
  const row = await stoppedAs(w, 'itself');
  expect(row).toMatchObject({ limit: 'week', resets_at: new Date(resetsAt * 1_000).toISOString() });
  await terminal.shows('Continuing automatically at');
  expect(await w.belfry('continue')).toMatchObject(REFUSED);
});
