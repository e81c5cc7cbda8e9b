// What comes over chats from people who may not answer, or was not made here: none of it reaches the agent, which still takes a true answer.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ANSWER_WAYS, type AnswerWay, type SeenMessage } from '../support/answer-ways.ts';
import { command, type Conversation, permission, questionsIn, waitAsHook } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

type Chat = 'telegram' | 'slack-app';

/** One thing that an agent asks, with its message. */
interface Asking {
  readonly talk: Conversation;
  readonly message: SeenMessage;
}

interface World {
  readonly home: string;
  readonly ways: Readonly<Record<string, AnswerWay>>;
  readonly way: AnswerWay;
  readonly settings: (carriers: readonly string[]) => void;
  /** A hook that waits for this command; its message on the channel phone, or another. */
  readonly ask: (session: string, line: string, on?: AnswerWay) => Promise<Asking>;
}

/** A daemon with these chats, named phone and then desk; each may carry answers. */
async function chats(first: Chat, second?: Chat): Promise<World> {
  const home = temporaryFolder();
  const ways: Record<string, AnswerWay> = {};
  for (const [at, chat] of [first, ...(second === undefined ? [] : [second])].entries())
    ways[at === 0 ? 'phone' : 'desk'] = await (ANSWER_WAYS[chat] as () => Promise<AnswerWay>)();
  const names = Object.keys(ways);
  const settings = (carriers: readonly string[]): void => {
    const channels = names.map((name) => `[channels.${name}]\n${ways[name]?.lines}\nallow_private = true\n`).join('');
    const text = `[answer]\nchannels = ${JSON.stringify(carriers)}\n${channels}[[routes]]\nto = ${JSON.stringify(names)}\n`;
    writeFileSync(join(home, 'config.new'), text, { mode: 0o600 });
    renameSync(join(home, 'config.new'), join(home, 'config.toml'));
  };
  settings(names);
  await startDaemon(home);
  for (const one of Object.values(ways)) await until(one.isListening, 'the receiver');
  const way = ways['phone'] as AnswerWay;
  const ask: World['ask'] = async (session, line, on = way) => {
    const input = permission(session, line);
    const startedAt = Date.now();
    await hook(home, JSON.stringify(input), ['--agent', 'claude']);
    const talk = await waitAsHook(home, input, startedAt);
    const isIt = ({ text, buttons }: SeenMessage): boolean =>
      text.includes(line) && buttons.some(({ label }) => label === 'Allow');
    return { talk, message: await until(() => on.shown().findLast(isIt), `a message of ${line}`) };
  };
  return { home, ways, way, settings, ask };
}

const button = ({ buttons }: SeenMessage, label: string): string =>
  buttons.find((one) => one.label === label)?.value ?? `no button ${label}`;

const behavior = async ({ talk }: Asking): Promise<unknown> => {
  const line = await talk.next();
  const printed = JSON.parse(String(line?.data?.['stdout'])) as {
    readonly hookSpecificOutput: { readonly decision: { readonly behavior: string; readonly message?: string } };
  };
  return printed.hookSpecificOutput.decision;
};

/** Somebody who may denies it, after all that was tried: what came first would have been handed over. */
async function expectStillAsked(way: AnswerWay, asking: Asking): Promise<void> {
  await way.press(button(asking.message, 'Deny'));
  expect(await behavior(asking)).toEqual({ behavior: 'deny', message: expect.any(String) });
}

/** Presses, and waits for the line that whoever pressed is shown. */
async function lineAfter(way: AnswerWay, value: string): Promise<string> {
  const before = way.lineTo?.().length ?? 0;
  await way.press(value);
  return until(() => way.lineTo?.()[before], 'the line to whoever pressed');
}

/** Nobody else may have written this to the agent. */
const NOT_THEIRS = 'a stranger was here';

for (const [chat, who] of [
  ['telegram', 'a Telegram user who is not in allow'],
  ['slack-app', 'somebody else in the Slack channel'],
] as const) {
  test(`${who} presses Allow, and nothing is allowed`, async () => {
    const { way, ask } = await chats(chat);
    const asking = await ask('s', 'touch a.txt');
    await way.press(button(asking.message, 'Allow'), false);
    // A denial is quicker than an allowing: once a later question was allowed, that press was dealt with.
    const later = await ask('later', 'touch later.txt');
    await way.press(button(later.message, 'Allow'));
    expect(await behavior(later)).toEqual({ behavior: 'allow' });
    await expectStillAsked(way, asking);
  });

  test(`${who} writes words for the agent, and it gets none of them`, async () => {
    const { way, ask } = await chats(chat);
    const asking = await ask('s', 'touch a.txt');
    const place = way.shown().findLastIndex(({ text }) => text.includes('touch a.txt'));
    await way.reply?.(place, NOT_THEIRS, false);
    await way.press(button(asking.message, 'Deny'));
    expect(JSON.stringify(await behavior(asking))).not.toContain(NOT_THEIRS);
  });
}

test('a callback with a guessed proof, which nobody was given, allows nothing', async () => {
  const { way, ask } = await chats('telegram');
  const asking = await ask('s', 'touch a.txt');
  const [letter = '', id = ''] = button(asking.message, 'Allow').split(':');
  expect(await lineAfter(way, `${letter}:${id}:${'A'.repeat(22)}`)).not.toContain('Allowed');
  await expectStillAsked(way, asking);
});

test('the Deny button with the letter of Allow in front of it allows nothing', async () => {
  const { way, ask } = await chats('telegram');
  const asking = await ask('s', 'touch a.txt');
  const [letter] = button(asking.message, 'Allow').split(':');
  const [, id, proof] = button(asking.message, 'Deny').split(':');
  expect(await lineAfter(way, `${letter}:${id}:${proof}`)).not.toContain('Allowed');
  await expectStillAsked(way, asking);
});

test('the button of a harmless question allows no other one', async () => {
  const { way, ask } = await chats('slack-app');
  const harmless = await ask('s1', 'touch a.txt');
  const other = await ask('s2', 'rm -rf build');
  const [letter, , proof] = button(harmless.message, 'Allow').split(':');
  const [, id] = button(other.message, 'Allow').split(':');
  expect(await lineAfter(way, `${letter}:${id}:${proof}`)).not.toContain('Allowed');
  await expectStillAsked(way, other);
});

test('a button that was made for one chat allows nothing from another', async () => {
  const { ways, way, ask } = await chats('slack-app', 'telegram');
  const asking = await ask('s', 'touch a.txt');
  const desk = ways['desk'] as AnswerWay;
  expect(await lineAfter(desk, button(asking.message, 'Allow'))).not.toContain('Allowed');
  await expectStillAsked(way, asking);
});

test('a press of a chat that [answer] channels left out meanwhile allows nothing, and says why', async () => {
  const { home, way, settings, ask } = await chats('telegram');
  const asking = await ask('s', 'touch a.txt');
  const [{ id } = { id: '' }] = await questionsIn(home);
  settings([]);
  expect((await command(home, 'reload', {}))?.error).toBeUndefined();
  expect(await lineAfter(way, button(asking.message, 'Allow'))).toContain('does not take answers from here any more');
  expect((await belfry(home, ['answer', id, 'deny'])).code).toBe(0);
  expect(await behavior(asking)).toMatchObject({ behavior: 'deny' });
});

test('the second of two presses reaches nobody, whatever it says, and hears who was first', async () => {
  const { home, way, ask } = await chats('telegram');
  const asking = await ask('s', 'touch a.txt');
  await expectStillAsked(way, asking);
  await until(async () => (await questionsIn(home))[0]?.state === 'answered', 'the answer to be confirmed');
  const refused = (): number => way.lineTo?.().filter((line) => line.includes('(phone) answered first')).length ?? 0;
  for (const label of ['Allow', 'Deny']) {
    const before = refused();
    await way.press(button(asking.message, label));
    await until(() => refused() > before, 'the line to whoever pressed', 30_000);
  }
  expect((await questionsIn(home))[0]).toMatchObject({ state: 'answered', answer: { type: 'deny' } });
});

test('a press after the end says how it ended, and allows nothing that the session asks then', async () => {
  const { home, way, ask } = await chats('telegram');
  const before = await ask('s', 'touch a.txt');
  await hook(home, JSON.stringify({ ...permission('s', 'touch a.txt'), hook_event_name: 'PostToolUse' }), [
    '--agent',
    'claude',
  ]);
  await until(async () => (await questionsIn(home))[0]?.state === 'closed', 'its end');
  expect(await lineAfter(way, button(before.message, 'Allow'))).toContain('nswered at the terminal');
  const after = await ask('s', 'touch b.txt');
  expect(await lineAfter(way, button(before.message, 'Allow'))).toContain('nswered at the terminal');
  await expectStillAsked(way, after);
});
