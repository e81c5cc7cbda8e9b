// Real clients that an overloaded service or a lost network stopped: `belfry continue` gives them their next instruction, once, in the words of the settings, and says that they go on.
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { answerWorld } from './answer-world.ts';
import { type AskedClient, codexWorld, worldOf } from './asked-clients.ts';
import { ANTHROPIC_OVERLOADED, type Failure, OVERLOADED } from './model/failures.ts';
import { claudeToday, patient } from './real/claude.ts';
import { patientCodex } from './real/codex.ts';
import { openAndFail, sessionIn, stoppedAs, stoppedIn, TERMINAL } from './stopped-session.ts';

interface Row {
  readonly client: string;
  readonly world: AskedClient['world'];
  readonly failure: Failure;
  readonly cause: 'overloaded' | 'network';
  /** Requests of one turn before the client gives up; null: it makes others meanwhile. */
  readonly tries: number | null;
}

/** Words that only the next instruction has. */
const INSTRUCTION = /\bcontinue\b/;

const ROWS: readonly Row[] = [
  { client: 'claude', world: worldOf('claude'), failure: OVERLOADED, cause: 'overloaded', tries: 1 },
  {
    client: `claude ${claudeToday.version}`,
    world: () => answerWorld(['--answer'], patient(claudeToday)),
    failure: ANTHROPIC_OVERLOADED,
    cause: 'overloaded',
    tries: 3,
  },
  {
    client: `claude ${claudeToday.version}`,
    world: () => answerWorld(['--answer'], claudeToday),
    failure: 'cut',
    cause: 'network',
    tries: 1,
  },
  { client: 'codex', world: worldOf('codex'), failure: OVERLOADED, cause: 'overloaded', tries: 1 },
  { client: 'codex', world: () => codexWorld(patientCodex), failure: 'cut', cause: 'network', tries: null },
  // It retries an overload for minutes.
  { client: 'qwen', world: worldOf('qwen'), failure: 'cut', cause: 'network', tries: null },
];

test.each(ROWS)('$client: $cause', async ({ world, failure, cause, tries }) => {
  const w = await world();
  if (w === null) return;
  await openAndFail(w, () => failure);
  const row = await stoppedAs(w, 'ready');
  expect(row).toMatchObject({ cause, limit: null, next_at: null });
  if (tries !== null) expect(w.model.refused).toBe(tries);
  w.model.failure = null;
  const before = w.model.prompts.length;
  const ran = await w.belfry('continue');
  expect([ran.code, ran.stdout]).toEqual([0, 'project: goes on\n']);
  const words = (): readonly string[] => w.model.prompts.slice(before).filter((text) => INSTRUCTION.test(text));
  await until(() => words().length > 0, 'the model to read it');
  await until(async () => (await stoppedIn(w)).length === 0, 'nothing to be stopped');
  // It is not given again.
  expect((await w.belfry('continue')).stdout).toBe('No session has stopped.\n');
  expect(words()).toHaveLength(1);
});

test('copilot: only in its terminal', async () => {
  const w = await worldOf('copilot')();
  if (w === null) return;
  const terminal = await openAndFail(w, () => OVERLOADED);
  expect(await stoppedAs(w, 'terminal')).toMatchObject({ cause: 'overloaded', limit: null, next_at: null });
  w.model.failure = null;
  const before = w.model.prompts.length;
  expect(await w.belfry('continue')).toMatchObject(TERMINAL);
  await w.prompt(terminal, 'say it once more');
  await until(async () => (await sessionIn(w)).state === 'finished', 'it to finish');
  expect(w.model.prompts.slice(before)).toEqual([expect.stringMatching(/say it once more\s*$/)]);
});
