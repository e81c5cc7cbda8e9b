import { expect, test } from 'vitest';
import { BASE } from '../../src/http/api/paths.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import { command, type Conversation, openQuestion, permission, waitAsHook } from '../support/answering.ts';
import { visit } from '../support/interface.ts';
import { belfry, hook } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { botHome } from './bot-home.ts';

const ALLOW = { type: 'allow' };

/** A daemon with a bot that may answer. */
async function start() {
  const { way, home } = await botHome();
  return { way, home, page: await visit(home) };
}

type World = Awaited<ReturnType<typeof start>>;

async function asked({ home }: World, input: Record<string, unknown>): Promise<Conversation> {
  const startedAt = Date.now();
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  return waitAsHook(home, input, startedAt);
}

/** The message of the chat about it, once it has its buttons. */
const chat = ({ way }: World, part: string) =>
  until(
    () =>
      way.shown().findLast(({ text, buttons }) => text.includes(part) && buttons.some(({ label }) => label === 'Deny')),
    `a message of ${part}`,
  );

/** What each way says of a command, and that none of them allows it. */
async function expectNotAllowed(world: World, line: string, shown: string): Promise<void> {
  const { home, page } = world;
  const talk = await asked(world, permission('s', line));
  const question = await openQuestion(home, 's');
  const seen = seenOf(question);
  const listed = (await page.call('questions.list', {})).questions.find(({ id }) => id === question.id);
  expect(listed?.answers).toEqual(['deny']);
  expect(listed?.subject['text']).toContain(shown);
  const message = await chat(world, shown);
  expect(message.buttons.map(({ label }) => label)).not.toContain('Allow');
  const response = await fetch(`${page.origin}${BASE}/questions/${question.id}/answer`, {
    method: 'POST',
    headers: { authorization: `Bearer ${page.token}`, 'content-type': 'application/json', 'x-belfry': '1' },
    body: JSON.stringify({ answer: ALLOW, seen }),
  });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('allow it at the terminal')]);
  const socket = await command(home, 'answer', { id: question.id, seen, answer: ALLOW });
  expect([socket?.exit, socket?.error]).toEqual([2, expect.stringContaining('allow it at the terminal')]);
  expect((await belfry(home, ['answer', question.id, 'allow'])).code).toBe(2);
  expect(JSON.parse((await belfry(home, ['pending', '--json'])).stdout)).toMatchObject([
    { question: { answers: ['deny'], subject: { text: expect.stringContaining(shown) } } },
  ]);
  await world.way.press(message.buttons.find(({ label }) => label === 'Deny')?.value ?? '');
  expect(String((await talk.next())?.data?.['stdout'])).toContain('"deny"');
}

test('a command whose reading order is turned is allowed by no way', async () => {
  await expectNotAllowed(await start(), 'touch \u202etxt.a # fr- mr', 'touch ‹U+202E›txt.a');
});

test('a command with isolates and marks of direction is allowed by no way', async () => {
  await expectNotAllowed(await start(), 'rm \u2066-rf\u2069 \u200f~/', 'rm ‹U+2066›-rf‹U+2069› ‹U+200F›~/');
});

test('a command with characters that take no room is allowed by no way', async () => {
  await expectNotAllowed(await start(), 'ls\u200b\u2060\u00ad\ufeff /', 'ls‹U+200B›‹U+2060›‹U+00AD›‹U+FEFF› /');
});

test('a command hidden in tags and variation selectors is allowed by no way', async () => {
  await expectNotAllowed(await start(), 'echo 😀\u{e0172}\u{e0072}', 'echo 😀‹U+E0172›‹U+E0072›');
});

test('a command that overwrites what a terminal shows is allowed by no way', async () => {
  await expectNotAllowed(await start(), 'rm -rf ~/ \r\u001b[2Kls', 'rm -rf ~/ ‹U+000D›‹U+001B›[2Kls');
});

test('a command with a secret in it is allowed by no way', async () => {
  const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
  await expectNotAllowed(await start(), `curl -H "Authorization: Bearer ${secret}" x`, 'curl');
});

test('a tool that goes by a name with hidden characters is allowed by no way', async () => {
  const world = await start();
  const talk = await asked(world, { ...permission('s'), tool_name: 'Ba\u200bsh' });
  const question = await openQuestion(world.home, 's');
  expect(question.subject).toMatchObject({ tool: 'Ba‹U+200B›sh', partial: 'it has characters that cannot be seen' });
  const given = { id: question.id, seen: seenOf(question), answer: ALLOW, pid: process.pid };
  expect((await command(world.home, 'answer', given))?.exit).toBe(2);
  talk.close();
});

test('a tail behind sixty empty lines and three thousand spaces is in sight, in each way', async () => {
  const world = await start();
  const talk = await asked(world, permission('s', `ls${'\n'.repeat(60)}echo a${' '.repeat(3_000)}; rm -rf ~/`));
  const shown = 'ls\n‹59 empty lines›\necho a‹3000 spaces›; rm -rf ~/';
  const question = await openQuestion(world.home, 's');
  expect(question.subject).toMatchObject({ text: shown, partial: null });
  const message = await chat(world, 'rm -rf');
  expect(message.text).toContain(shown.replace(/^/gm, '│ '));
  expect((await world.page.call('questions.list', {})).questions[0]?.subject).toMatchObject({ text: shown });
  talk.close();
});

test('what does not fit whole into a message has no Allow there, and says where it can be allowed', async () => {
  const world = await start();
  const talk = await asked(world, permission('s', `echo ${'long '.repeat(1_500)}; rm -rf ~/`));
  const question = await openQuestion(world.home, 's');
  const { text, buttons } = await chat(world, 'echo long');
  expect(text).not.toContain('rm -rf');
  expect(text).toContain(`on the page, or with: belfry answer ${question.id.slice(0, 14)} allow`);
  expect(buttons.map(({ label }) => label)).toEqual(['Deny']);
  // Where all of it can be read, it can be allowed.
  expect((await belfry(world.home, ['answer', question.id.slice(0, 14), 'allow'])).code).toBe(0);
  expect(String((await talk.next())?.data?.['stdout'])).toContain('"allow"');
});

test('an answer in letters that only look like "allow" allows nothing, by command line and in a chat', async () => {
  const world = await start();
  const talk = await asked(world, permission('s', 'touch a.txt'));
  const question = await openQuestion(world.home, 's');
  const lookalike = '\u0430llow'; // a Cyrillic a
  expect((await belfry(world.home, ['answer', question.id, lookalike])).code).toBe(2);
  await chat(world, 'touch a.txt');
  const at = world.way.shown().findLastIndex(({ text }) => text.includes('touch a.txt'));
  await world.way.reply?.(at, lookalike);
  expect(String((await talk.next())?.data?.['stdout'])).toContain('"deny"');
});

test('options that only look alike: the one that was pressed is given, and each is shown with what it does', async () => {
  const world = await start();
  const options = [
    { label: 'Rеd', description: 'Deletes an account' }, // a Cyrillic e
    { label: 'Red', description: 'A strong red' },
  ];
  const questions = [{ question: 'Which colour?', options, multiSelect: false }];
  const talk = await asked(world, { ...permission('s'), tool_name: 'AskUserQuestion', tool_input: { questions } });
  const { text, buttons } = await until(
    () => world.way.shown().findLast((one) => one.buttons.some(({ label }) => label === 'Red')),
    'the message with its options',
  );
  expect(text).toContain('│ 1. Rеd\n│    Deletes an account\n│ 2. Red\n│    A strong red');
  await world.way.press(buttons.find(({ label }) => label === 'Red')?.value ?? '');
  expect(String((await talk.next())?.data?.['stdout'])).toContain('"Which colour?":"Red"');
});

test('an option that would pass for two is shown as one line', async () => {
  const world = await start();
  const options = [{ label: 'Keep it\n2. Leave' }, { label: 'Delete all' }];
  const questions = [{ question: 'Which?', options, multiSelect: false }];
  const talk = await asked(world, { ...permission('s'), tool_name: 'AskUserQuestion', tool_input: { questions } });
  const question = await openQuestion(world.home, 's');
  expect(question.subject).toMatchObject({ choices: [{ options: ['Keep it‹U+000A›2. Leave', 'Delete all'] }] });
  expect((await belfry(world.home, ['answer', question.id, '1'])).code).toBe(0);
  expect(String((await talk.next())?.data?.['stdout'])).toContain('Keep it\\n2. Leave');
});
