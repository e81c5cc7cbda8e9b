// Answers from two ways and one at the terminal, at the same time and in any order: one of them wins, and the hook hears that one only.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import { type AnsweringService, createAnswering } from '../../src/answering/index.ts';
import type { Reply } from '../../src/ipc/frames.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { sha256 } from '../../src/lib/hash.ts';
import { UserError } from '../../src/model/errors.ts';
import type { IncomingHook } from '../../src/model/event/incoming.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import type { Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import { NO_FILES, permission } from '../support/answering.ts';
import { PLAIN_CONFIG } from '../support/decide.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';

/** `written` runs once an answer is in its row. */
async function world(written = (): void => undefined): Promise<{ store: Store; answering: AnsweringService }> {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'), { log: () => undefined });
  const answering = createAnswering({
    acknowledge: async () => undefined,
    store: {
      ...store,
      answerQuestion: async (given) => {
        const result = await store.answerQuestion(given);
        written();
        return result;
      },
    },
    clock: systemClock,
    agents: agentByName,
    files: NO_FILES,
    config: () => PLAIN_CONFIG,
    redact: (text) => text,
    client: async () => null,
    exited: async () => [],
    promptOpen: () => () => undefined,
    log: () => undefined,
    place: { home: '/nowhere', env: {} },
    paths: { state: temporaryFolder() },
    isInstalled: async () => false,
  });
  onTestFinished(async () => {
    await answering.stop();
    await store.close();
  });
  return { store, answering };
}

/** What a hook of this session reports, as ingest hands it on. */
function reported(session: string, input: Record<string, unknown>, startedAt: number): IncomingHook {
  const raw = JSON.stringify({ ...input, session_id: session });
  const agent = agentByName('claude');
  if (!agent) throw new Error('no such agent');
  const parsed = agent.parse(JSON.parse(raw) as Record<string, unknown>, { event: null, env: {}, abnormalReasons: [] });
  const base = { entryId: `event-${session}-${startedAt}`, source: 'socket', startedAt, receivedAt: startedAt };
  return {
    ...base,
    type: 'hook',
    agent: 'claude',
    ...HERE,
    parsed,
    origin: { pid: 1, ppid: 1, env: {} },
    digest: sha256(raw),
  };
}

test('a hundred races of three, one winner each', async () => {
  const { store, answering } = await world();
  const winners: Record<string, number> = { allow: 0, deny: 0, terminal: 0 };
  for (let i = 0; i < 100; i++) {
    const session = `race-${i}`;
    const input = permission(session);
    const startedAt = Date.now();
    const lines: Reply[] = [];
    const gone = new AbortController();
    const origin = { pid: process.pid, ppid: process.ppid, env: {} };
    const args = { startedAt, agent: 'claude', reply: false, raw: JSON.stringify(input), origin };
    const heard = async (line: Reply): Promise<void> => {
      lines.push(line);
      if (JSON.stringify(line).includes('"stdout"')) gone.abort('taken');
    };
    const served = answering.serve(args, heard, gone.signal);
    answering.observe(reported(session, input, startedAt)); // the notifying hook
    const question = await until(
      async () =>
        (await store.questions({ states: ['open'] })).find(({ sessionKey }) => sessionKey.endsWith(`/${session}`)),
      'the question',
    );
    const { id } = question;
    const seen = seenOf(question);
    const give = async (answer: { type: 'allow' } | { type: 'deny'; message: null }, via: string): Promise<string> => {
      try {
        await answering.answer({ id, seen, answer, answerer: { by: 'ann', via } });
        return 'won';
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return error.message;
      }
    };
    const ran = { ...input, hook_event_name: 'PostToolUse' };
    const racers = [
      () => give({ type: 'allow' }, 'team'),
      () => give({ type: 'deny', message: null }, 'phone'),
      async () => {
        for (let n = 0; n < i % 4; n++) await store.setCursor('turn', n); // before, during and after the others
        answering.observe(reported(session, ran, startedAt + 5));
        return 'terminal';
      },
    ];
    const turn = i % 3;
    const order = [...racers.slice(turn), ...racers.slice(0, turn)];
    // The terminal comes in the middle of a write as well.
    const results = await Promise.all(
      order.map(async (run) => {
        if (i % 2 === 1) await new Promise((go) => setImmediate(go));
        return run();
      }),
    );
    await served;
    const printed = JSON.stringify(lines.at(-1));
    const winner = printed.includes('"left"') ? 'terminal' : printed.includes('deny') ? 'deny' : 'allow';
    winners[winner] = (winners[winner] ?? 0) + 1;
    expect(lines).toHaveLength(2);
    expect(results.filter((result) => result === 'won')).toHaveLength(winner === 'terminal' ? 0 : 1);
    for (const refusal of results.filter((result) => result !== 'won' && result !== 'terminal'))
      expect(refusal).toMatch(/answered first|only its terminal can answer now/);
    gone.abort();
  }
  console.log('winners', winners);
  expect(Object.values(winners).every((count) => count > 0)).toBe(true);
  expect(await store.questions({ states: ['open'] })).toEqual([]);
});

test('a hook that leaves while its answer is written hears nothing, and nobody has answered', async () => {
  const gone = new AbortController();
  const { store, answering } = await world(() => gone.abort());
  const input = permission('one');
  const startedAt = Date.now();
  const origin = { pid: process.pid, ppid: process.ppid, env: {} };
  const args = { startedAt, agent: 'claude', reply: false, raw: JSON.stringify(input), origin };
  const served = answering.serve(args, async () => undefined, gone.signal);
  answering.observe(reported('one', input, startedAt));
  const question = await until(async () => (await store.questions({ states: ['open'] }))[0], 'it');
  const { id } = question;
  const given = {
    id,
    seen: seenOf(question),
    answer: { type: 'allow' },
    answerer: { by: 'ann', via: 'team' },
  } as const;
  await expect(answering.answer(given)).rejects.toThrow(
    'the agent left at that moment: only its terminal can answer now (nothing was sent)',
  );
  await served;
  expect(await store.question(id)).toMatchObject({
    state: 'closed',
    closed: 'the agent no longer waits',
    answeredBy: null,
    answer: { by: 'ann', via: 'team' },
  });
});
