// Somebody presses Allow in the moment in which the hook dies: nobody is said to have allowed anything, and the message says what is known.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openQuestion, permission, questionsIn, startAsk } from '../support/answering.ts';
import { ANSWER_WAYS, type AnswerWay } from '../support/answer-ways.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

describe.each(Object.keys(ANSWER_WAYS))('%s', (name) => {
  test('an answer that nobody confirms is told to whoever gave it, and shown in the message', async () => {
    const way = await (ANSWER_WAYS[name] as () => Promise<AnswerWay>)();
    const home = temporaryFolder();
    const config = `[answer]\nchannels = ["phone"]\n[channels.phone]\n${way.lines}\nallow_private = true\n[[routes]]\nto = ["phone"]\n`;
    writeFileSync(join(home, 'config.toml'), config, { mode: 0o600 });
    await startDaemon(home);
    await until(way.isListening, 'the receiver');
    const input = JSON.stringify(permission('one', 'touch one.txt'));
    const asks = startAsk(home, input, ['--agent', 'claude', '--beside']);
    onTestFinished(() => void asks.process.kill('SIGKILL'));
    await hook(home, input, ['--agent', 'claude']);
    const { id } = await openQuestion(home, 'one');
    const allow = () => way.shown().flatMap(({ buttons }) => buttons.find(({ label }) => label === 'Allow') ?? [])[0];
    const { value } = await until(allow, 'the button');
    asks.process.kill('SIGSTOP');
    await way.press(value);
    const row = async () => (await questionsIn(home)).find((question) => question.id === id);
    await until(async () => (await row())?.answer, 'the answer to be on its way');
    asks.process.kill('SIGKILL');
    await until(
      () => way.shown().some(({ text }) => text.includes('An answer was sent, but the agent did not confirm it')),
      'the message to say so',
    ).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(way.shown())}`);
    });
    expect(await asks.ended).toMatchObject({ stdout: '' });
    expect((await belfry(home, ['pending'])).stdout).toContain('An answer was sent, but the agent did not confirm it');
    expect(way.shown().flatMap(({ buttons }) => buttons.filter(({ label }) => label === 'Allow'))).toEqual([]);
    expect(way.shown().some(({ text }) => /allowed by/.test(text))).toBe(false);
    if (way.lineTo) expect(way.lineTo().join('\n')).toContain('did not confirm it: look at its terminal');
  });
});
