// The life of the wait for an answer: what ends it, and what happens while an answer is being written.
import { expect, test } from 'vitest';
import type { Asked, Asker } from '../../src/answering/questions/asker.ts';
import { OpenQuestion } from '../../src/answering/questions/open-question.ts';
import type { Handed } from '../../src/model/question/answering.ts';
import { virtualClock } from '../support/clock.ts';

const DEADLINE = 60_000;

/** `written`: its row is there. */
function world({ source, written }: { source: Asker['source']; written: boolean }, handed: Handed = 'taken') {
  const clock = virtualClock();
  const said: string[] = [];
  const asker: Asker = {
    source,
    notification: 'bytes',
    give: async () => handed,
    over: () => void said.push('over'),
  };
  const asked = {} as Asked; // whatever it is
  const question = new OpenQuestion(asked, asker, DEADLINE, null, {
    clock,
    over: () => void said.push('forgotten'),
    ended: (_question, why) => void said.push(`ended: ${why}`),
    kept: (_row, why) => void said.push(`kept: ${why}`),
  });
  const { id, nonce, deadline } = question;
  if (written) question.row = { id, nonce, deadline, sessionKey: 's', inputHash: 'h', subject: {} };
  return { clock, said, question };
}

type World = ReturnType<typeof world>;
const HOOK = { source: 'hook', written: true } as const;
const INSIDE = { source: 'inside', written: true } as const;

test.each<[string, Parameters<typeof world>[0], (w: World) => unknown, string[]]>([
  [
    'a hook reports the tool that it asked about',
    HOOK,
    ({ question }) => question.end('at-terminal'),
    ['over', 'forgotten', 'ended: at-terminal'],
  ],
  [
    'two reasons: the first counts',
    HOOK,
    ({ question }) => (question.end('prompted'), question.end('exited')),
    ['over', 'forgotten', 'ended: prompted'],
  ],
  ['its time is over', HOOK, ({ clock }) => clock.advance(DEADLINE), ['over', 'forgotten', 'ended: expired']],
  [
    'it left, and an input says why in time',
    HOOK,
    async ({ question, clock }) => {
      question.leave();
      await clock.advance(200);
      question.end('at-terminal');
      await clock.advance(1_000);
    },
    ['over', 'forgotten', 'ended: at-terminal'],
  ],
  [
    'it left, and an input says why too late',
    HOOK,
    async ({ question, clock }) => {
      question.leave();
      await clock.advance(400);
      question.end('at-terminal');
    },
    ['over', 'forgotten', 'ended: left'],
  ],
  [
    'it left, and the daemon stops',
    HOOK,
    ({ question }) => (question.leave(), question.lose('stopped')),
    ['over', 'forgotten', 'ended: left'],
  ],
  [
    'a hook cannot be heard any more',
    HOOK,
    ({ question }) => question.lose('stopped'),
    ['over', 'forgotten', 'ended: stopped'],
  ],
  [
    'one that asks again cannot be heard any more',
    INSIDE,
    ({ question }) => question.lose('stopped'),
    ['over', 'forgotten', 'kept: stopped'],
  ],
  [
    'the same before its row is there',
    { ...INSIDE, written: false },
    ({ question }) => question.lose('stopped'),
    ['over', 'forgotten', 'ended: stopped'],
  ],
])('%s', async (_what, of, happens, wanted) => {
  const w = world(of);
  await happens(w);
  expect(w.said).toEqual(wanted);
  await w.clock.advance(2 * DEADLINE);
  expect(w.said).toEqual(wanted);
});

test.each<[Handed]>([['taken'], ['late'], ['unsent'], ['unconfirmed']])('an answer ends it, %s', async (handed) => {
  const { question, said } = world(HOOK, handed);
  const release = question.hold();
  question.end('at-terminal');
  expect([question.isOpen, said]).toEqual([true, []]);
  expect(await question.deliver({ type: 'allow' })).toBe(handed);
  release();
  expect([question.isOpen, said]).toEqual([false, ['over', 'forgotten']]);
});

test('what came while two answers were written happens when neither is, the last of it', async () => {
  const { question, said } = world(HOOK);
  const [first, second] = [question.hold(), question.hold()];
  question.leave();
  question.end('exited');
  first();
  expect(said).toEqual([]);
  second();
  expect(said).toEqual(['over', 'forgotten', 'ended: exited']);
  expect(await question.deliver({ type: 'allow' })).toBe('unsent');
});
