// A chat that everybody can be invited to carries answers only where it is said who may give them: what exists keeps its notifications, and is told once.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openQuestion, permission, questionsIn, waitAsHook } from '../support/answering.ts';
import { startSlackWay } from '../support/answer-ways-slack.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

const WHY = 'everybody who sees its messages could answer; to get them, name who may in `allow` of [channels.phone]';

/** A home with a Slack channel named for answers, as one of before may be. */
async function homeWithout(allow: string) {
  const way = await startSlackWay();
  const home = temporaryFolder();
  const lines = way.lines.replace(/\nallow = .*/, '');
  const write = (more: string): void =>
    writeFileSync(
      join(home, 'config.toml'),
      `[answer]\nchannels = ["phone"]\n[channels.phone]\n${lines}\n${more}\nallow_private = true\n[[routes]]\nto = ["phone"]\n`,
      { mode: 0o600 },
    );
  write(allow);
  return { way, home, write };
}

test('a channel without `allow` has its notifications and no buttons, which say why; with it the buttons are back', async () => {
  const { way, home, write } = await homeWithout('');
  const daemon = await startDaemon(home);
  await until(way.isListening, 'the receiver');
  const input = permission('one', 'touch one.txt');
  const startedAt = Date.now();
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  await waitAsHook(home, input, startedAt);
  const { id } = await openQuestion(home, 'one');
  const shown = await until(
    () => way.shown().find(({ text }) => text.includes(`There are no buttons: ${WHY}.`)),
    'why',
  );
  expect(shown.text).toContain('belfry answer');
  expect(shown.buttons.map(({ label }) => label)).toEqual(['Got it']);
  expect((await questionsIn(home)).find((one) => one.id === id)?.state).toBe('open');
  expect((await belfry(home, ['config', 'check'])).stderr).toContain(`phone carries no buttons: ${WHY}`);
  expect((await belfry(home, ['doctor'])).stdout).toContain(WHY);
  await daemon.stop();
  write('allow = ["U042"]');
  expect((await belfry(home, ['config', 'check'])).stderr).not.toContain(WHY);
  await startDaemon(home);
  await until(way.isListening, 'the receiver');
  const again = permission('two', 'touch two.txt');
  const then = Date.now();
  await hook(home, JSON.stringify(again), ['--agent', 'claude']);
  const talk = await waitAsHook(home, again, then);
  const allow = () => way.shown().flatMap(({ buttons }) => buttons.find(({ label }) => label === 'Allow') ?? [])[0];
  const { value } = await until(allow, 'the button');
  await way.press(value, false); // somebody else of the channel
  await way.press(value);
  expect(JSON.stringify(await talk.next())).toContain('allow');
});

test('buttons of a daemon before are none any more, and whoever presses one hears how to get them back', async () => {
  const { way, home, write } = await homeWithout('allow = ["U042"]');
  const daemon = await startDaemon(home);
  await until(way.isListening, 'the receiver');
  const input = permission('one', 'touch one.txt');
  const startedAt = Date.now();
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  const talk = await waitAsHook(home, input, startedAt);
  const allow = () => way.shown().flatMap(({ buttons }) => buttons.find(({ label }) => label === 'Allow') ?? [])[0];
  const { value } = await until(allow, 'the button');
  talk.close();
  await daemon.stop('SIGKILL');
  write('');
  await startDaemon(home);
  await until(way.isListening, 'the receiver');
  await way.press(value);
  await until(() => way.lineTo?.().some((line) => line.includes(WHY)), 'the line to whoever pressed');
});

test('an upgrade says once which channels have lost their buttons, and nothing to others', async () => {
  for (const [allow, says] of [
    ['', true],
    ['allow = ["U042"]', false],
  ] as const) {
    const { way, home } = await homeWithout(allow);
    mkdirSync(join(home, 'state'), { mode: 0o700 });
    writeFileSync(join(home, 'state', 'announced-changes'), '2\n');
    const told = () => way.shown().filter(({ text }) => text.includes('No buttons for answers any more on phone'));
    const first = await startDaemon(home);
    if (says) await until(() => told().length === 1, 'the notice');
    await first.stop();
    const second = await startDaemon(home);
    await hook(home, JSON.stringify(permission('mark', 'touch mark.txt')), ['--agent', 'claude']);
    await until(() => way.shown().some(({ text }) => text.includes('touch mark.txt')), 'the mark');
    expect(told()).toHaveLength(says ? 1 : 0);
    await second.stop();
  }
});
