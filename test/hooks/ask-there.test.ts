// Code within clients of machines elsewhere that asks, with a real relay, in the shells that they may have: an answer is handed to the client, and the other side hears what became of it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toRelay } from '../../src/sources/remote/protocol.ts';
import { machine, SHELLS } from '../support/far-shells.ts';
import { until } from '../support/wait.ts';

const INPUT = { type: 'permission.asked', properties: { id: 'per_1', text: `it's "odd"\n%s \\0101 $HOME` } };

type Machine = ReturnType<typeof machine>;
const left = (far: Machine): string[] =>
  ['asks', 'answers', 'run'].flatMap((name) =>
    readdirSync(join(far.folder(), name)).filter((file) => name !== 'run' || file.startsWith('last')),
  );

describe.each(SHELLS)('$name', (shell) => {
  async function waiting() {
    const far = machine(shell);
    const relay = far.relay();
    await relay.hello();
    const client = far.client(INPUT);
    const asked = await relay.heard(() => relay.words()[0], 'the question');
    relay.ok();
    const last = (says: string): Promise<unknown> =>
      relay.heard(() => relay.words().find((one) => one.says === says && one.word === asked.word), `the word ${says}`);
    return { far, relay, client, asked, last };
  }

  test('an answer is handed over once, however often it comes, and what became of it is said', async () => {
    const { far, relay, client, asked, last } = await waiting();
    expect(asked.says).toBe('inside');
    expect(JSON.parse(relay.files()[0] ?? '')).toEqual(INPUT);
    const answer = { reply: 'once', message: 'grün "\n' };
    const line = toRelay.answer(asked.pid, asked.word, { print: JSON.stringify(answer) });
    relay.send(line);
    relay.send(line);
    await last('taken');
    expect(client.given()).toBe(`${JSON.stringify(answer)}\n`);
    await until(() => left(far).length === 0, 'nothing to be left');
  });

  test('a question that is over in another way, and a client that is gone', async () => {
    const over = await waiting();
    over.client.end('answered');
    await over.last('answered');
    await until(() => left(over.far).length === 0, 'nothing to be left');
    const gone = await waiting();
    gone.client.kill();
    await gone.last('left');
    await until(() => left(gone.far).length === 0, 'nothing to be left');
    expect([over.client.given(), gone.client.given()]).toEqual(['', '']);
  });

  test('it waits for a relay, and asks each further one again', async () => {
    const far = machine(shell);
    const first = far.relay();
    await first.hello();
    first.end();
    await first.ended();
    const client = far.client(INPUT);
    await until(() => readdirSync(join(far.folder(), 'asks')).length === 1, 'the question');
    for (const _relay of [1, 2]) {
      const relay = far.relay();
      await relay.hello();
      const asked = await relay.heard(() => relay.words().at(-1), 'the question');
      relay.ok();
      expect(asked.says).toBe('inside-again');
      if (_relay === 1) {
        relay.end();
        await relay.ended();
        continue;
      }
      relay.send(toRelay.answer(asked.pid, asked.word, { print: '{"reply":"once"}' }));
      await until(() => client.given() === '{"reply":"once"}\n', 'the answer');
    }
  });
});
