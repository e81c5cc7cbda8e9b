// Questions of hooks on machines elsewhere: which are asked here, and that an answer goes to the hook that asked, and to no other.
import { expect, onTestFinished, test } from 'vitest';
import { ASK_LIMIT } from '../../../src/ipc/ask.ts';
import type { Envelope } from '../../../src/ipc/envelope.ts';
import type { Reply } from '../../../src/ipc/frames.ts';
import type { RemoteStatus } from '../../../src/model/remote-status.ts';
import { FarAsks, farWordOf, type ServeFar } from '../../../src/sources/remote/far-asks.ts';
import { virtualClock } from '../../support/clock.ts';

const WORD = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const RUNNER = { pid: 10, start: '1', name: 'sh' };

interface Served {
  readonly args: Parameters<ServeFar>[0];
  readonly reply: (data: unknown) => Promise<void>;
  readonly gone: AbortSignal;
  readonly far: Parameters<ServeFar>[3];
  readonly end: () => void;
}

function world() {
  const clock = virtualClock();
  const served: Served[] = [];
  /** Lines to hooks, as `REMOTE PID WORD TEXT`. */
  const sent: string[] = [];
  let [runs, state]: [readonly boolean[] | null, RemoteStatus['state']] = [null, 'connected'];
  const asks = new FarAsks({
    clock,
    log: () => undefined,
    link: (remote) =>
      remote === 'gone'
        ? undefined
        : {
            answer: (pid, word, what) =>
              void sent.push(`${remote} ${pid} ${word} ${typeof what === 'string' ? what : `print ${what.print}`}`),
            running: async () => runs,
            status: () => ({ state }) as RemoteStatus,
          },
  });
  onTestFinished(() => asks.stop());
  asks.start(
    (args, reply, gone, far) =>
      new Promise((resolve) => {
        served.push({ args, reply: (data) => reply({ data } as Reply), gone, far, end: resolve });
      }),
  );
  const hear = (says: string, given: Partial<Envelope> & { remote?: string; word?: string; pid?: number } = {}) => {
    const { remote = 'box', word = WORD, pid = 11, ...more } = given;
    const origin = { pid, ppid: RUNNER.pid, env: {}, host: remote, remote, ancestors: [RUNNER], ...more.origin };
    const raw = Buffer.from('{}');
    const envelope = { id: 'e', agent: 'claude', startedAt: 5, receivedAt: 5, raw, ...more, origin };
    const read = farWordOf({ event: `belfry-ask/${says}/${word}` });
    if (read === null) throw new Error('no word');
    asks.hear(envelope, read, remote !== 'unwanted');
  };
  return {
    clock,
    served,
    sent,
    asks,
    hear,
    runs: (to: typeof runs) => (runs = to),
    state: (to: typeof state) => (state = to),
  };
}

test.each([
  'Stop',
  'belfry-ask/ask',
  `belfry-ask/allow/${WORD}`,
  `belfry-ask/ask/${WORD}x`,
  `belfry-ask/ask/${WORD.toUpperCase().replace('4', 'A')}`,
  `x belfry-ask/ask/${WORD}`,
])('%s is an ordinary event', (event) => {
  expect(farWordOf({ event })).toBeNull();
});

test('an answer goes to the hook that asked, again until it says that it has it', async () => {
  const { clock, served, sent, hear } = world();
  hear('ask');
  hear('ask', { word: OTHER, pid: 12 });
  expect(served.map(({ args }) => args)).toMatchObject([
    { agent: 'claude', reply: false, raw: '{}', startedAt: 5 },
    {},
  ]);
  expect(served[0]?.far.origin).toMatchObject({ remote: 'box', ancestors: [RUNNER] });
  await served[0]?.reply({ wait: 1_000 });
  const told = `box 11 ${WORD} wait`;
  expect(sent).toEqual([told]);
  await served[0]?.reply({ stdout: 'allow' });
  const line = `box 11 ${WORD} print allow`;
  expect(sent).toEqual([told, line]);
  await clock.advance(1_000);
  expect(sent).toEqual([told, line, line]);
  hear('taken');
  expect([served[0]?.gone.reason, served[1]?.gone.aborted]).toEqual(['taken', false]);
  await clock.advance(10_000);
  expect(sent).toEqual([told, line, line]);
});

test('it is asked once, however often it is put; another machine cannot speak for it', () => {
  const { served, hear } = world();
  hear('ask');
  hear('ask');
  hear('ask-again');
  expect(served).toHaveLength(1);
  hear('left', { remote: 'other' });
  hear('taken', { word: OTHER });
  expect(served[0]?.gone.aborted).toBe(false);
  hear('left');
  expect(served[0]?.gone.reason).toBe('left');
});

test.each<[what: string, says: string, given: Parameters<ReturnType<typeof world>['hear']>[1]]>([
  ['an earlier daemon was asked', 'ask-again', {}],
  ['is not to be answered from here', 'ask', { remote: 'unwanted' }],
  ['is longer than can be shown', 'ask', { raw: Buffer.alloc(ASK_LIMIT + 1, 'x') }],
  ['was cut', 'ask', { cut: 'size' }],
])('a hook leaves that %s', (_what, says, given = {}) => {
  const { served, sent, hear } = world();
  hear(says, given);
  expect([served, sent]).toEqual([[], [`${given.remote ?? 'box'} 11 ${WORD} leave`]]);
});

test('it is said again that a hook is to leave, or to ask once more, since a shell may lose a line', async () => {
  const { clock, served, sent, hear } = world();
  hear('ask-again');
  hear('ask', { pid: 12, word: OTHER, origin: { pid: 12, ppid: 10, env: {}, remote: 'box', ancestors: [] } });
  const lines = [`box 11 ${WORD} leave`, `box 12 ${OTHER} again`];
  expect(sent).toEqual(lines);
  await clock.advance(1_000);
  expect(sent).toEqual([...lines, ...lines]);
  hear('ask-again', { pid: 12, word: OTHER });
  expect(served).toHaveLength(1);
  await clock.advance(10_000);
  expect(sent).toEqual([...lines, ...lines, lines[0], lines[0]]);
});

test('an answer that nobody took is not said again', async () => {
  const { clock, served, sent, hear } = world();
  hear('ask');
  await served[0]?.reply({ stdout: 'allow' });
  served[0]?.end();
  await clock.advance(10_000);
  expect(sent.filter((line) => line.endsWith('print allow'))).toHaveLength(1);
});

test('one that came late, when nobody knew any more who asks, is asked once it says that it still waits', () => {
  const { served, sent, hear } = world();
  hear('ask', { origin: { pid: 11, ppid: 10, env: {}, remote: 'box', ancestors: [] } });
  expect([served, sent]).toEqual([[], [`box 11 ${WORD} again`]]);
  hear('ask-again');
  hear('ask-again');
  expect([served.length, sent.length]).toEqual([1, 1]);
});

test('one that does not say what became of its answer is let go, once nobody serves it', async () => {
  const { clock, served, sent, hear } = world();
  hear('ask');
  await served[0]?.reply({ stdout: 'allow' });
  await clock.advance(10_000);
  served[0]?.end();
  await clock.advance(0);
  expect([sent.length, sent.at(-1)]).toEqual([5, `box 11 ${WORD} leave`]);
  hear('ask-again');
  expect([served.length, sent.length]).toEqual([1, 6]);
});

test('code within a client asks the next daemon again, and says itself what became of its question', () => {
  const { served, sent, hear } = world();
  hear('inside-again');
  expect([served.length, sent]).toEqual([1, []]);
  hear('inside-again');
  expect(served).toHaveLength(1);
  hear('answered');
  expect(served[0]?.gone.reason).toBe('answered');
  for (const says of ['prompted', 'ended', 'taken', 'late', 'unsent'])
    expect(farWordOf({ event: `belfry-ask/${says}/${WORD}` })).toEqual({ says, word: WORD });
  for (const says of ['answered-again', 'insider', 'left-again', 'toString'])
    expect(farWordOf({ event: `belfry-ask/${says}/${WORD}` })).toBeNull();
});

test('no more than 50 of one machine wait', () => {
  const { served, hear } = world();
  for (let i = 10; i < 70; i++) hear('ask', { word: WORD.replace(/..$/, String(i)) });
  hear('ask', { remote: 'other' });
  expect(served).toHaveLength(51);
});

test('what nobody answers any more lets it leave; a hook that is gone is noticed, and not while nobody can say', async () => {
  const { clock, served, sent, hear, runs, state } = world();
  hear('ask');
  hear('ask', { word: OTHER, pid: 12 });
  await served[0]?.reply({ left: 'answered at the terminal' });
  served[0]?.end();
  expect(sent).toEqual([`box 11 ${WORD} leave`]);
  await clock.advance(0);
  state('waiting');
  expect(served[1]?.far.isReachable()).toBe(false);
  await clock.advance(10_000);
  expect(served[1]?.gone.aborted).toBe(false);
  state('connected');
  runs([false]);
  await clock.advance(10_000);
  expect([served[1]?.far.isReachable(), served[1]?.gone.reason]).toEqual([true, 'left']);
});
