// Answers through each channel and the built daemon: allow, deny, choose and words reach the hook; who was first is told; nothing forged does.
import { listed } from '../support/lists.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Conversation,
  converse,
  openQuestion,
  permission,
  questionsIn,
  startWaiting,
  stop,
  waitAsHook,
} from '../support/answering.ts';
import { ANSWER_WAYS, type AnswerWay, type SeenMessage } from '../support/answer-ways.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

/** A daemon with the channel, named phone; `settings`: lines before it. */
async function start(name: string, settings = '[answer]\nchannels = ["phone"]\n') {
  const way = await (ANSWER_WAYS[name] as () => Promise<AnswerWay>)();
  const home = temporaryFolder();
  const config = `${settings}[channels.phone]\n${way.lines}\nallow_private = true\n[[routes]]\nto = ["phone"]\n`;
  writeFileSync(join(home, 'config.toml'), config, { mode: 0o600 });
  const daemon = await startDaemon(home);
  await until(way.isListening, 'the receiver');
  return { way, home, daemon };
}

/** Both hooks of one input: the one that waits, and the one that notifies. */
async function asked(home: string, input: Record<string, unknown>): Promise<Conversation> {
  const startedAt = Date.now();
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  return waitAsHook(home, input, startedAt);
}

const button = (message: SeenMessage | undefined, label: string): string =>
  message?.buttons.find((one) => one.label === label)?.value ?? `no button ${label}`;

/** The latest message that has what is wanted. */
const seen = (way: AnswerWay, part: string, wanted: (message: SeenMessage) => boolean = () => true) =>
  until(
    () => way.shown().findLast((message) => message.text.includes(part) && wanted(message)),
    `a message of ${part}`,
  );
const hasButtons = ({ buttons }: SeenMessage): boolean => buttons.some(({ label }) => label !== 'Got it');

const decision = async (talk: Conversation): Promise<unknown> => {
  const line = await talk.next();
  return (JSON.parse(String(line?.data?.['stdout'])) as { hookSpecificOutput: { decision: unknown } })
    .hookSpecificOutput.decision;
};

/** Gone, or edited: no button, and by whom. */
async function expectOver(way: AnswerWay, part: string, why: RegExp | string): Promise<void> {
  const from = performance.now();
  await until(() => way.shown().every((message) => !message.text.includes(part) || !hasButtons(message)), 'no buttons');
  if (way.keepsMessages) expect((await seen(way, part)).text).toMatch(why);
  console.log(`buttons gone after ${(performance.now() - from).toFixed(0)} ms`);
}

const choice = (session: string, options: readonly string[], more: object = {}) => ({
  ...permission(session),
  tool_name: 'AskUserQuestion',
  tool_input: { questions: [{ question: 'Which colour?', options: options.map((label) => ({ label })), ...more }] },
});

/** States of a session's questions. */
const statesOf = async (home: string, session: string): Promise<readonly string[]> =>
  (await questionsIn(home)).flatMap(({ sessionKey, state }) => (sessionKey.endsWith(`/${session}`) ? [state] : []));

describe.each(Object.keys(ANSWER_WAYS))('%s', (name) => {
  test('allow, deny, choose, words; who was first; from the press to the exit of the hook', async () => {
    const { way, home } = await start(name);
    const first = await asked(home, permission('one', 'touch one.txt'));
    const message = await seen(way, 'touch one.txt', hasButtons);
    expect(message.buttons.map(({ label }) => label).slice(0, 2)).toEqual(['Allow', 'Deny']);
    expect(message.buttons.every(({ value }) => Buffer.byteLength(value) <= 64)).toBe(true);
    await way.press(button(message, 'Allow'));
    expect(await decision(first)).toEqual({ behavior: 'allow' });
    await expectOver(way, 'touch one.txt', `allowed by ${way.person} ${way.where}`);
    expect((await questionsIn(home))[0]).toMatchObject({
      state: 'answered',
      answeredBy: `${way.person} (phone)`,
      answer: { type: 'allow', by: way.person, via: 'phone' },
    });
    const late = await belfry(home, ['answer', (await questionsIn(home))[0]?.id ?? '', 'deny']);
    expect([late.code, late.stderr]).toEqual([5, expect.stringContaining(`${way.person} (phone) answered first`)]);

    const second = await asked(home, permission('two', 'touch two.txt'));
    await way.press(button(await seen(way, 'touch two.txt', hasButtons), 'Deny'));
    expect(await decision(second)).toMatchObject({ behavior: 'deny' });
    await expectOver(way, 'touch two.txt', `denied by ${way.person} ${way.where}`);

    const third = await asked(home, choice('three', ['Red', 'Blue @all']));
    await way.press(button(await seen(way, 'Which colour?', hasButtons), 'Blue @all'));
    expect(await decision(third)).toMatchObject({ updatedInput: { answers: { 'Which colour?': 'Blue @all' } } });
    await expectOver(way, 'Which colour?', `answered by ${way.person} ${way.where}`);

    const { reply } = way;
    if (reply === null) return;
    const place = (part: string) => way.shown().findLastIndex(({ text }) => text.includes(part));
    const fourth = await asked(home, permission('four', 'touch four.txt'));
    await seen(way, 'touch four.txt', hasButtons);
    await reply(place('touch four.txt'), 'yes');
    await until(() => way.lineTo?.().some((line) => line.includes('Press Allow')), 'the line about Allow');
    await reply(place('touch four.txt'), 'use notes.md\nplease');
    expect(await decision(fourth)).toEqual({ behavior: 'deny', message: 'use notes.md\nplease' });

    const fifth = await asked(home, choice('five', ['A', 'B'], { question: 'Which letter?' }));
    await seen(way, 'Which letter?', hasButtons);
    await reply(place('Which letter?'), 'neither of them');
    expect(await decision(fifth)).toMatchObject({ updatedInput: { answers: { 'Which letter?': 'neither of them' } } });

    const sixth = await asked(home, stop('six'));
    const takesWords = ({ text, buttons }: SeenMessage): boolean =>
      /give it its next instruction/.test(text) || buttons.some(({ label }) => label === 'Reply');
    await seen(way, 'All done in six.', takesWords);
    await reply(place('All done in six.'), 'also update the docs');
    expect((await sixth.next())?.data).toEqual({ reply: 'also update the docs' });
  });

  test('an answer at the terminal, and the end of a wait, take the buttons away within a second', async () => {
    const { way, home, daemon } = await start(name);
    const input = permission('one', 'touch one.txt');
    await asked(home, input);
    const message = await seen(way, 'touch one.txt', hasButtons);
    const ran = { ...input, hook_event_name: 'PostToolUse' };
    const from = performance.now();
    await hook(home, JSON.stringify(ran), ['--agent', 'claude']);
    await expectOver(way, 'touch one.txt', /answered at the terminal/);
    console.log(`${name}: answered at the terminal, gone after ${(performance.now() - from).toFixed(0)} ms`);
    await way.press(button(message, 'Allow'));
    if (way.lineTo) await until(() => way.lineTo?.().some((line) => /only its terminal can answer/.test(line)), 'why');

    const left = await asked(home, permission('two', 'touch two.txt'));
    await seen(way, 'touch two.txt', hasButtons);
    left.close();
    await until(
      () => way.shown().some(({ text }) => /at its terminal only: the agent no longer waits/.test(text)),
      'it',
    );
    expect(hasButtons(await seen(way, 'touch two.txt'))).toBe(false);

    await asked(home, permission('three', 'touch three.txt'));
    await seen(way, 'touch three.txt', hasButtons);
    // What was in flight at a kill may come twice, and the first of the two is nobody's any more.
    await until(async () => !JSON.stringify(await listed(home, ['deliveries'])).includes('"leased"'), 'the receipts');
    await daemon.stop('SIGKILL');
    await startDaemon(home);
    await until(
      () => way.shown().some(({ text }) => /at its terminal only: the daemon was restarted/.test(text)),
      'it',
    );
    expect(way.shown().filter(hasButtons)).toEqual([]);
  });

  test('a button of before a kill answers what code inside a client asks the next daemon again', async () => {
    const { way, home, daemon } = await start(name);
    const asks = { id: 'per_1', sessionID: 's', permission: 'bash', metadata: { command: 'touch nine.txt' } };
    const raw = JSON.stringify({ id: 'evt_1', type: 'permission.asked', properties: asks });
    const startedAt = Date.now();
    const ask = async (): Promise<Conversation> => {
      const talk = converse(home, true);
      const origin = { pid: process.pid, ppid: process.ppid, env: {} };
      talk.send({ v: 1, op: 'ask', args: { startedAt, agent: 'opencode', reply: false, raw, origin } });
      expect(await talk.next()).toMatchObject({ data: { wait: expect.any(Number) } });
      return talk;
    };
    await hook(home, raw, ['--agent', 'opencode']);
    await ask();
    const message = await seen(way, 'touch nine.txt', hasButtons);
    await until(async () => !JSON.stringify(await listed(home, ['deliveries'])).includes('"leased"'), 'the receipts');
    await daemon.stop('SIGKILL');
    await startDaemon(home);
    await until(way.isListening, 'the receiver');
    const again = await ask();
    await way.press(button(message, 'Allow'));
    expect((await again.next())?.data).toEqual({ stdout: expect.any(String) });
    await expectOver(way, 'touch nine.txt', `allowed by ${way.person} ${way.where}`);
    expect(await statesOf(home, 's')).toEqual(['answered']);
  });

  test('a notifying hook that comes long after the one that asks: its message has the buttons all the same', async () => {
    const { way, home } = await start(name);
    const input = permission('one', 'touch one.txt');
    const talk = await waitAsHook(home, input);
    await openQuestion(home, 'one'); // from here on nobody waits for its notification any more
    await hook(home, JSON.stringify(input), ['--agent', 'claude']);
    await way.press(button(await seen(way, 'touch one.txt', hasButtons), 'Allow'));
    expect(await decision(talk)).toEqual({ behavior: 'allow' });
    await expectOver(way, 'touch one.txt', `allowed by ${way.person} ${way.where}`);
  });

  test('what is not shown whole cannot be allowed, and says so', async () => {
    const { way, home } = await start(name);
    const secret = 'curl -H "Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG" x';
    const cases: readonly (readonly [line: string, part: string, says: RegExp])[] = [
      [secret, 'curl', /It can be allowed at its terminal only: a part of it was hidden as a secret\./],
      [
        `echo ${'long '.repeat(1_500)}`,
        'echo long',
        /the beginning of [\d,]+ characters\). Read all of it and allow it at its terminal, on the page, or with: belfry answer qst_/,
      ],
      [
        'touch \u202egnp.txt',
        'touch ‹U+202E›gnp.txt',
        /^It can be allowed at its terminal only: it has characters that cannot be seen\.$/m,
      ],
      ['touch a\u200bb', 'touch a‹U+200B›b', /characters that cannot be seen/],
    ];
    for (const [at, [line, part, says]] of cases.entries()) {
      const talk = await asked(home, permission(`s${at}`, line));
      const message = await seen(way, part, hasButtons);
      expect(message.text).toMatch(says);
      expect(message.buttons.map(({ label }) => label)).not.toContain('Allow');
      expect(message.text).not.toContain('abcdefghijklmnopqrstuvwxyz');
      await way.press(button(message, 'Deny'));
      expect(await decision(talk)).toMatchObject({ behavior: 'deny' });
    }
  });

  test('hostile text stays text: every line of it is quoted', async () => {
    const { way, home } = await start(name);
    const line =
      "echo '✓ allowed by Ada' #\n✓ allowed by Ada\n[Allow](tg://x) <b>@everyone</b> /start\nAnswer at its terminal.";
    await asked(home, permission('s', line));
    const { text, buttons } = await seen(way, 'echo', hasButtons);
    const body = text.split('\n').slice(1);
    for (const part of line.split('\n'))
      expect(body.filter((shown) => shown.includes(part) && !shown.startsWith('│ '))).toEqual([]);
    expect(buttons.map(({ label }) => label).slice(0, 2)).toEqual(['Allow', 'Deny']);
  });

  test('a channel that the settings leave out says where to answer', async () => {
    const { way, home } = await start(name, '');
    // From the first question on it is known that this agent asks.
    const before = await asked(home, permission('before', 'touch before.txt'));
    await seen(way, 'touch before.txt');
    await openQuestion(home, 'before');
    before.close();
    const talk = await asked(home, permission('s', 'touch one.txt'));
    const { text, buttons } = await seen(way, 'touch one.txt');
    const question = await openQuestion(home, 's');
    expect(text).toContain(`Answer at its terminal, or with: belfry answer ${question.id.slice(0, 14)} allow`);
    expect(buttons.some(({ label }) => label === 'Allow')).toBe(false);
    expect((await belfry(home, ['answer', question.id.slice(0, 14), 'allow'])).code).toBe(0);
    expect(await decision(talk)).toEqual({ behavior: 'allow' });
  });

  test('forged, replayed, late, wrong-person, wrong-question, cut and malformed answers: none reaches an agent', async () => {
    const { way, home } = await start(name);
    const target = await asked(home, permission('target', 'touch target.txt'));
    const other = await asked(home, permission('other', 'rm -rf build'));
    const done = await asked(home, permission('done', 'touch done.txt'));
    const [goodMessage, otherMessage, doneMessage] = [
      await seen(way, 'touch target.txt', hasButtons),
      await seen(way, 'rm -rf build', hasButtons),
      await seen(way, 'touch done.txt', hasButtons),
    ];
    const good = button(goodMessage, 'Allow');
    const deny = button(goodMessage, 'Deny');
    const used = button(doneMessage, 'Deny');
    await way.press(used);
    expect(await decision(done)).toMatchObject({ behavior: 'deny' });
    const [letter = '', id = '', proof = ''] = good.split(':');
    const [, otherId = '', otherProof = ''] = button(otherMessage, 'Allow').split(':');
    const [, , denyProof = ''] = deny.split(':');
    const swap = (text: string) =>
      text.replace(/[A-Z]|[a-z]/gi, (sign) => (sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase()));
    const question = await openQuestion(home, 'target');
    const cases: readonly string[] = [
      `${letter}:${id}:`,
      `${letter}:${id}`,
      `${letter}:`,
      letter,
      '-',
      `${letter}:${id}:${proof.slice(0, -1)}`,
      `${letter}:${id}:${proof}A`,
      `${letter}:${id}:${'A'.repeat(22)}`,
      `${letter}:${id}:${swap(proof)}`,
      `${letter}:${id}:${[...proof].reverse().join('')}`,
      `${letter}:${id}:${denyProof}`,
      `d:${id}:${proof}`,
      `t:${id}:${proof}`,
      `c0.0:${id}:${proof}`,
      `c0.0:${id}:${denyProof}`,
      `c9.9:${id}:${proof}`,
      `A:${id}:${proof}`,
      `allow:${id}:${proof}`,
      `always:${id}:${proof}`,
      `${letter}:${otherId}:${proof}`,
      `${letter}:${id}:${otherProof}`,
      `${letter}:${id.toUpperCase()}:${proof}`,
      `${letter}:${id.slice(0, -1)}:${proof}`,
      `${letter}:${id}x:${proof}`,
      `${letter}:qst_${'0'.repeat(24)}:${proof}`,
      `${letter}:${question.notificationId}:${proof}`,
      `${letter}:${id}:${question.nonce.slice(0, 22)}`,
      `${letter}:${id}:${question.inputHash.slice(0, 22)}`,
      `${id}:${proof}`,
      `${proof}:${id}:${letter}`,
      `${letter};${id};${proof}`,
      `${letter}::${proof}`,
      `ack:${id}:${proof}`,
      `ack:${question.notificationId}:${proof}`,
      `{"type":"allow"}`,
      'allow',
      'Allow',
      `__proto__:${id}:${proof}`,
      `${letter}:' OR 1=1 --:${proof}`,
      `${letter}:${id}:${proof.slice(0, 11)}\u0000${proof.slice(12)}`,
      used,
      button(doneMessage, 'Allow'),
    ];
    expect(cases.length).toBeGreaterThanOrEqual(40);
    const { lineTo } = way;
    for (const value of cases) {
      const before = lineTo?.().length ?? 0;
      await way.press(value);
      if (lineTo) await until(() => lineTo().length > before, `the line about ${value}`); // more at once are let go
    }
    for (const value of [good, deny, 'allow']) await way.press(value, false);
    if (way.reply) {
      await way.reply(way.shown().length, 'allow');
      const at = way.shown().findIndex(({ text }) => text.includes('touch target.txt'));
      await way.reply(at, 'allow');
      await way.reply(at, 'no, do not', false);
      await way.reply(at, '\u0000\u001b ');
    }
    // The mark: once its answer is there, all before were dealt with.
    const mark = await asked(home, permission('mark', 'touch mark.txt'));
    const value = button(await seen(way, 'touch mark.txt', hasButtons), 'Deny');
    await way.press(value);
    expect(await decision(mark)).toMatchObject({ behavior: 'deny' });
    const rows = await until(async () => {
      const all = await questionsIn(home);
      return all.every(({ answeredBy, state }) => answeredBy === null || state === 'answered') && all;
    }, 'its answer to be confirmed');
    const states = Object.fromEntries(rows.map(({ sessionKey, state }) => [sessionKey.split('/').at(-1), state]));
    expect(states).toEqual({ target: 'open', other: 'open', done: 'answered', mark: 'answered' });
    await way.press(good);
    expect(await decision(target)).toEqual({ behavior: 'allow' });
    other.close();
    // The very same words once more: the buttons of before are none to them.
    const again = await asked(home, permission('target', 'touch target.txt'));
    await way.press(good);
    const anew = button(
      await until(
        () =>
          way
            .shown()
            .findLast(
              (one) => one.text.includes('touch target.txt') && hasButtons(one) && one.buttons[0]?.value !== good,
            ),
        'it',
      ),
      'Deny',
    );
    await way.press(anew);
    expect(await decision(again)).toMatchObject({ behavior: 'deny' });
  });

  test('from the press to the exit of the hook', { timeout: 600_000 }, async () => {
    const { way, home } = await start(name);
    const times: number[] = [];
    for (let i = 0; i < 30 && times.length < 9; i++) {
      const input = permission(`s${i}`, `touch ${i}.txt`);
      const notified = hook(home, JSON.stringify(input), ['--agent', 'claude']);
      const { ended, process: asks } = await startWaiting(home, input);
      await notified;
      // On a busy machine the one that notifies may come too late for the two to be known as one.
      const isIt = ({ text, buttons }: SeenMessage) => text.includes(`touch ${i}.txt`) && hasButtons({ text, buttons });
      const message = await until(() => way.shown().find(isIt), 'it', 5_000).catch(() => null);
      if (message === null) continue;
      const value = button(message, 'Allow');
      const from = performance.now();
      await way.press(value);
      // A hook that had left before this one waited may have had this button: it is nobody's then.
      const isOver = () => asks.exitCode !== null;
      if (!(await until(isOver, 'its end', 20_000).catch(() => false))) continue;
      const { stdout } = await ended;
      const took = performance.now() - from;
      if (stdout.includes('"allow"')) times.push(took);
      // On a busy machine the hook leaves without the daemon's word in time; then nobody may be called its answerer.
      else expect(await statesOf(home, `s${i}`)).not.toContain('answered');
    }
    expect(times.length).toBeGreaterThan(4);
    times.sort((a, b) => a - b);
    console.log(
      `${name}: press to the hook's exit: p50 ${times[times.length >> 1]?.toFixed(1)} ms, worst ${times.at(-1)?.toFixed(1)} ms`,
    );
  });
});
