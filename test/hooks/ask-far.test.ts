// The answering hook of machines elsewhere, with a real relay, in the shells that they may have: it prints the answer that is meant for it, and nothing else.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { toRelay } from '../../src/sources/remote/protocol.ts';
import { machine, SHELLS } from '../support/far-shells.ts';
import { until } from '../support/wait.ts';

const INPUT = '{"hook_event_name":"PermissionRequest","session_id":"s"}';
const NOTHING = { code: 0, stdout: '', stderr: '' };
/** With what a shell could take for something else. */
const ODD = `{"a":"%s \\0101 \\c $HOME \`id\` 'x' * grüße 你好 🎉"}\n- line\ttwo\\`;
const FOREIGN = '00000000-0000-4000-8000-000000000000';

type Machine = ReturnType<typeof machine>;

/** A relay that runs, and a hook that it has handed over. */
async function waiting(far: Machine, how?: Parameters<Machine['ask']>[1]) {
  const relay = far.relay();
  await relay.hello();
  const hook = far.ask(INPUT, how);
  const asked = await relay.heard(() => relay.words()[0], 'the question');
  relay.ok();
  return { relay, hook, asked };
}
const left = (far: Machine): string[] =>
  ['asks', 'answers'].flatMap((name) => readdirSync(join(far.folder(), name)).map((file) => `${name}/${file}`));

describe.each(SHELLS)('$name', (shell) => {
  test('prints the answer as it came, says so, and leaves nothing', async () => {
    const far = machine(shell);
    const { relay, hook, asked } = await waiting(far);
    expect(asked.says).toBe('ask');
    expect(relay.files()).toEqual([INPUT]);
    for (const folder of ['asks', 'answers']) expect(statSync(join(far.folder(), folder)).mode & 0o777).toBe(0o700);
    expect(statSync(join(far.folder(), 'asks', String(asked.pid))).mode & 0o777).toBe(0o600);
    relay.send(toRelay.answer(asked.pid, asked.word, { print: ODD }));
    expect(await hook.ended).toEqual({ code: 0, stdout: ODD, stderr: '' });
    await relay.heard(
      () => relay.words().some(({ says, word }) => says === 'taken' && word === asked.word),
      'its word',
    );
    expect(left(far)).toEqual([]);
  });

  test('a reply goes to stderr, with the status that the client takes for one', async () => {
    const { relay, hook, asked } = await waiting(machine(shell), { reply: true });
    expect(asked.says).toBe('reply');
    relay.send(toRelay.answer(asked.pid, asked.word, { print: 'also update\nthe docs' }));
    expect(await hook.ended).toEqual({ code: 2, stdout: '', stderr: 'also update\nthe docs' });
  });

  test('an answer with another word, or cut, is none; nothing to print lets it leave', async () => {
    const far = machine(shell);
    const { relay, hook, asked } = await waiting(far);
    relay.send(toRelay.answer(asked.pid, FOREIGN, { print: 'allow' }));
    relay.send(toRelay.answer(asked.pid, asked.word, { print: 'allow' }).replace('+allow', '+all'));
    relay.send(toRelay.ping(1, '0', []));
    await until(() => relay.said.some((one) => one.type === 'pong' && one.number === 1), 'the relay to have read all');
    await until(() => !left(far).some((file) => file.startsWith('answers/')), 'the foreign answer to go');
    for (const foreign of ['no word at all', `${FOREIGN} +allow\n`, '']) {
      writeFileSync(join(far.folder(), 'answers', String(asked.pid)), foreign);
      process.kill(asked.pid, 'SIGURG');
      await until(() => !left(far).some((file) => file.startsWith('answers/')), 'what is no answer to go');
    }
    relay.send(toRelay.answer(asked.pid, asked.word, 'leave'));
    expect(await hook.ended).toEqual(NOTHING);
  });

  test('signals without an answer, however many, let it wait on', async () => {
    const far = machine(shell);
    const { relay, hook, asked } = await waiting(far);
    // A further signal at each moment of what the first one has it do.
    for (let pair = 0; pair < 400; pair++) {
      process.kill(asked.pid, 'SIGURG');
      const until = performance.now() + (pair % 40) / 20;
      while (performance.now() < until);
      process.kill(asked.pid, 'SIGURG');
      await setTimeout(5);
    }
    relay.send(toRelay.answer(asked.pid, asked.word, { print: 'yes' }));
    expect(await hook.ended).toEqual({ code: 0, stdout: 'yes', stderr: '' });
  });

  test('one whose signal was lost is handed over all the same; one that came late asks again', async () => {
    const far = machine(shell);
    const relay = far.relay();
    await relay.hello();
    // As if the relay slept through it: the hook that leaves the question does not signal.
    const alive = join(far.folder(), 'run/alive');
    writeFileSync(alive, readFileSync(alive, 'utf8').replace(' URG\n', '\n'));
    for (const [i, how] of [{ beside: true } as const, {}].entries()) {
      const hook = far.ask(INPUT, how);
      const asked = await until(() => relay.words().filter(({ says }) => says === 'ask')[i], 'the question', 10_000);
      relay.send(toRelay.answer(asked.pid, asked.word, 'again'));
      const again = await until(
        () => relay.words().find(({ says, word }) => says === 'ask-again' && word === asked.word),
        'the question once more',
        10_000,
      );
      relay.send(toRelay.answer(again.pid, again.word, { print: 'yes' }));
      expect(await hook.ended).toEqual({ code: 0, stdout: 'yes', stderr: '' });
      relay.ok();
    }
  });

  test('one beside the prompt stays when the relay goes, and asks the next one again', async () => {
    const far = machine(shell);
    const { relay, hook, asked } = await waiting(far);
    process.kill(relay.pid, 'SIGKILL');
    await relay.ended();
    const next = far.relay();
    const again = await next.heard(() => next.words().find(({ says }) => says === 'ask-again'), 'the question again');
    expect(again).toEqual({ ...asked, says: 'ask-again' });
    next.send(toRelay.answer(again.pid, again.word, { print: 'yes' }));
    expect(await hook.ended).toEqual({ code: 0, stdout: 'yes', stderr: '' });
  });

  test('one that holds the terminal leaves soon when nobody says that it is to wait, and else with the relay', async () => {
    const far = machine(shell);
    const { relay, hook } = await waiting(far, {});
    expect(await hook.ended).toEqual(NOTHING);
    const told = far.ask(INPUT, {});
    const asked = await relay.heard(() => relay.words().filter(({ says }) => says === 'ask')[1], 'the question');
    relay.send(toRelay.answer(asked.pid, asked.word, 'wait'));
    let isOver = false;
    void told.ended.then(() => {
      isOver = true;
    });
    await until(() => !existsSync(join(far.folder(), 'answers', String(asked.pid))), 'it to have heard that');
    const heard = Date.now();
    await until(() => isOver || Date.now() > heard + 2_000, 'more time than it waits unasked');
    expect(isOver).toBe(false);
    relay.end();
    expect(await told.ended).toEqual(NOTHING);
    expect(left(far)).toEqual([]);
  });

  test('a client that ends it is told; so is one that was killed', async () => {
    const far = machine(shell);
    const { relay, hook, asked } = await waiting(far);
    hook.kill('SIGTERM');
    await hook.ended;
    await relay.heard(() => relay.words().some(({ says, word }) => says === 'left' && word === asked.word), 'its word');
    const other = far.ask(INPUT);
    const second = await until(
      () => relay.words().find(({ says, word }) => says === 'ask' && word !== asked.word),
      'it',
    );
    other.kill('SIGKILL');
    await until(() => !existsSync(`/proc/${second.pid}`), 'the hook to be gone');
    relay.send(toRelay.answer(second.pid, second.word, { print: 'allow' }));
    relay.send(toRelay.ping(1, '0', []));
    await until(() => relay.said.some((one) => one.type === 'pong' && one.number === 1), 'the relay to have read all');
    expect(left(far).filter((file) => file.startsWith('answers/'))).toEqual([]);
  });
});

test.each<[what: string, prepare: (far: Machine) => Promise<unknown>, how: Parameters<Machine['ask']>[1]]>([
  ['no folder of ours', async () => undefined, {}],
  [
    'no relay',
    async (far) => {
      const relay = far.relay();
      await relay.hello();
      relay.end();
      await relay.ended();
    },
    { beside: true },
  ],
  ['a one-shot run', (far) => far.relay().hello(), { reply: true, env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } }],
  ['switched off', (far) => far.relay().hello(), { beside: true, env: { BELFRY_DISABLE: '1' } }],
])('%s: it leaves at once, and nothing of it stays', async (_what, prepare, how) => {
  const [shell] = SHELLS;
  if (!shell) throw new Error('no shell');
  const far = machine(shell);
  await prepare(far);
  expect(await far.ask(INPUT, how).ended).toEqual(NOTHING);
  if (existsSync(join(far.home, '.local'))) expect([...left(far), ...far.spool()]).toEqual([]);
});
