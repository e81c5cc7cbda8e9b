// Real clients that try again by themselves: for less than a minute nobody is told of it; of what lasts longer once, where the client keeps a record.
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { answerWorld } from './answer-world.ts';
import { worldOf } from './asked-clients.ts';
import {
  ANTHROPIC_OVERLOADED,
  BUSY,
  CODEX_LIMIT_WITHOUT_TIME,
  type Failure,
  failsMidway,
  GOOGLE_OVERLOADED,
  googleQuota,
  NO_CREDIT,
  OVERLOADED,
  retryLater,
} from './model/failures.ts';
import { claude, patient } from './real/claude.ts';
import { patientCodex } from './real/codex.ts';
import { droid } from './real/droid.ts';
import { gemini } from './real/gemini.ts';
import { type Answered, answered, failuresIn, finishAndFail, hooksAlone, tried } from './stopped-session.ts';

/** What a service asks for, and what a busy machine adds, ms. */
const LIMIT = 300_000;

interface Row extends Answered {
  /** Requests that fail before one is answered. */
  readonly times: number;
}

const ROWS: readonly Row[] = [
  {
    client: 'claude',
    answer: 'too much to do',
    world: () => answerWorld(['--answer'], patient(claude)),
    failure: ANTHROPIC_OVERLOADED,
    times: 2, // with a key of one's own it gives up after three
  },
  {
    client: 'claude',
    answer: 'connections cut',
    always: true,
    world: () => answerWorld(['--answer'], patient(claude)),
    failure: 'cut',
    times: 2,
  },
  {
    client: 'codex',
    answer: 'asked too often',
    always: true,
    world: () => hooksAlone(patientCodex),
    failure: retryLater(9),
    times: 2,
  },
  {
    client: 'codex',
    answer: 'asked too often, in the middle',
    world: () => hooksAlone(patientCodex),
    failure: failsMidway(6.5),
    times: 1,
  },
  {
    client: 'opencode',
    answer: 'a limit without a time',
    world: worldOf('opencode'),
    failure: CODEX_LIMIT_WITHOUT_TIME,
    times: 3,
  },
  { client: 'qwen', answer: 'asked too often', world: worldOf('qwen'), failure: retryLater(12), times: 2 },
  { client: 'copilot', answer: 'too much to do', always: true, world: worldOf('copilot'), failure: BUSY, times: 3 },
  {
    client: 'gemini',
    answer: 'asked too often in a minute',
    always: true,
    world: () => hooksAlone(gemini),
    failure: googleQuota('PerMinute', 12),
    times: 1,
  },
  { client: 'gemini', answer: 'too much to do', world: () => hooksAlone(gemini), failure: GOOGLE_OVERLOADED, times: 2 },
  {
    client: 'droid',
    answer: 'too much to do',
    always: true,
    world: () => hooksAlone(droid),
    failure: ANTHROPIC_OVERLOADED,
    times: 3,
  },
];

test.each(tried(ROWS))('$client: $answer', async ({ world, failure, times }) => {
  const w = await world();
  if (w === null) return;
  const terminal = await finishAndFail(w, failure);
  await until(() => w.model.refused >= times, 'its tries', LIMIT);
  w.model.failure = null;
  await answered(w, terminal, 'say it again');
  expect(await failuresIn(w)).toEqual([]);
  expect((await w.belfry('continue')).stdout).toBe('No session has stopped.\n');
});

const LONG_ROWS: readonly { readonly answer: string; readonly failure: Failure; readonly always?: true }[] = [
  { answer: 'too much to do', failure: OVERLOADED, always: true },
  { answer: 'out of credit', failure: NO_CREDIT },
];

test.each(tried(LONG_ROWS))('qwen: $answer, for longer than a minute', async ({ failure }) => {
  const w = await worldOf('qwen')();
  if (w === null) return;
  const terminal = await finishAndFail(w, failure);
  const told = ['session.failed: retrying'];
  await until(async () => (await failuresIn(w)).length > 0, 'what is told', LIMIT);
  expect(await failuresIn(w)).toEqual(told);
  expect((await w.belfry('continue')).stdout).toBe('No session has stopped.\n');
  w.model.failure = null;
  await answered(w, terminal, 'say it again');
  expect(await failuresIn(w)).toEqual(told);
});
