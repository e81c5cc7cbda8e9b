// Real clients whose service refuses them until they give up: what is told, once, and when it can go on where that is known; a prompt that is typed is the end of it.
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { answerWorld } from './answer-world.ts';
import { worldOf } from './asked-clients.ts';
import { CODEX_LIMIT_WITHOUT_TIME, googleQuota, NO_CREDIT, retryLater, SIGNED_OUT } from './model/failures.ts';
import { claude } from './real/claude.ts';
import { patientCodex } from './real/codex.ts';
import { droid } from './real/droid.ts';
import { gemini } from './real/gemini.ts';
import {
  type Answered,
  answered,
  failuresIn,
  finishAndFail,
  hooksAlone,
  limitsIn,
  stoppedIn,
  tried,
} from './stopped-session.ts';

/** Until a client gives up, ms. */
const LIMIT = 300_000;
/** When a day's quota is renewed, s. */
const SEVEN_HOURS = 25_392;

interface Row extends Answered {
  readonly told: readonly string[];
  /** The limit in `belfry continue --list`; null: it stands in no list of what may go on later. */
  readonly limit: string | null;
}

const ROWS: readonly Row[] = [
  {
    client: 'claude',
    answer: 'not signed in',
    always: true,
    world: () => answerWorld(['--answer'], claude),
    failure: SIGNED_OUT,
    told: ['session.failed: auth'],
    limit: null,
  },
  {
    client: 'codex',
    answer: 'not signed in',
    world: () => hooksAlone(patientCodex),
    failure: SIGNED_OUT,
    told: ['session.failed: auth'],
    limit: null,
  },
  {
    client: 'codex',
    answer: 'out of credit',
    always: true,
    world: () => hooksAlone(patientCodex),
    failure: NO_CREDIT,
    told: ['session.failed: credit', 'limit.reached: credit'],
    limit: 'credit',
  },
  {
    client: 'codex',
    answer: 'a limit without a time',
    world: () => hooksAlone(patientCodex),
    failure: CODEX_LIMIT_WITHOUT_TIME,
    told: ['session.failed: rate-limit', 'limit.reached: usage'],
    limit: 'usage',
  },
  {
    client: 'opencode',
    answer: 'not signed in',
    always: true,
    world: worldOf('opencode'),
    failure: SIGNED_OUT,
    told: ['session.failed: auth'],
    limit: null,
  },
  {
    client: 'copilot',
    answer: 'asked too often',
    always: true,
    world: worldOf('copilot'),
    failure: retryLater(SEVEN_HOURS),
    told: ['session.failed: rate-limit'],
    limit: null,
  },
  {
    client: 'copilot',
    answer: 'not signed in',
    world: worldOf('copilot'),
    failure: SIGNED_OUT,
    told: ['session.failed: auth'],
    limit: null,
  },
  {
    client: 'droid',
    answer: 'asked too often',
    always: true,
    world: () => hooksAlone(droid),
    failure: retryLater(12),
    told: ['session.failed: rate-limit'],
    limit: null,
  },
];

test.each(tried(ROWS))('$client: $answer', async ({ world, failure, told, limit }) => {
  const w = await world();
  if (w === null) return;
  const terminal = await finishAndFail(w, failure);
  await until(async () => (await failuresIn(w)).length >= told.length, 'what is told', LIMIT);
  expect(await failuresIn(w)).toEqual(told);
  // No time is known, so none is promised.
  expect(await limitsIn(w)).toMatchObject(limit === null ? [] : [{ resets_at: null, sessions: 1, continuing: 0 }]);
  expect(await stoppedIn(w)).toMatchObject(limit === null ? [] : [{ cause: 'limit', limit, next_at: null }]);
  w.model.failure = null;
  await w.prompt(terminal, 'say it once more');
  await answered(w, terminal, 'say it once more');
  expect(await failuresIn(w)).toEqual(told);
  expect([await limitsIn(w), await stoppedIn(w)]).toEqual([[], []]);
});

test("gemini: a day's quota, which it asks about", async () => {
  const w = await hooksAlone(gemini);
  if (w === null) return;
  const terminal = await finishAndFail(w, googleQuota('PerDay', SEVEN_HOURS));
  await terminal.shows('Usage limit reached');
  // It has no hook while its question stands, and tells of it once somebody has chosen.
  await terminal.press('2', (screen) => !screen.includes('2. Stop'));
  const told = ['session.failed: rate-limit', 'limit.reached: day'];
  await until(async () => (await failuresIn(w)).length >= told.length, 'what is told', LIMIT);
  expect(await failuresIn(w)).toEqual(told);
  expect(await limitsIn(w)).toEqual([
    { agent: 'gemini', limit: 'daily limit', resets_at: null, sessions: 1, continuing: 0 },
  ]);
  expect(await stoppedIn(w)).toMatchObject([{ cause: 'limit', limit: 'day', next: 'terminal', next_at: null }]);
  w.model.failure = null;
  await w.prompt(terminal, 'say it once more');
  await answered(w, terminal, 'say it once more');
  expect(await failuresIn(w)).toEqual(told);
  expect([await limitsIn(w), await stoppedIn(w)]).toEqual([[], []]);
});
