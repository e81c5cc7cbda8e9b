// Answers from a terminal or a script to what nobody was shown there: another question by then, keys meant for something else, text that passes for ours.
import { expect, test } from 'vitest';
import { openQuestion, permission, questionsIn, waitAsHook } from '../support/answering.ts';
import { bareEnv, BELFRY, belfry, hook, startDaemon } from '../support/programs.ts';
import { KEYS, onTerminal, type Step } from '../support/terminal.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const { enter } = KEYS;
const SILENT = '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n';
const EVIL = 'rm -rf ~/';

/** A daemon, and a hook that waits for this command in the session. */
async function asking(line: string, session = 'one') {
  const home = homeWith(SILENT);
  await startDaemon(home);
  return { home, ...(await ask(home, line, session)) };
}

async function ask(home: string, line: string, session = 'one', more: object = {}) {
  const input = { ...permission(session, line), ...more };
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  const talk = await waitAsHook(home, input);
  return { talk, question: await openQuestion(home, session) };
}

const onTty = (home: string, args: readonly string[], steps: readonly Step[]) =>
  onTerminal([process.execPath, BELFRY, ...args], bareEnv(home), steps);

const stateOf = async (home: string, id: string): Promise<string | undefined> =>
  (await questionsIn(home)).find((question) => question.id === id)?.state;

/** After `ls` was allowed under number 1, the session asks for something else. */
async function afterHarmless() {
  const { home, question } = await asking('ls');
  expect((await belfry(home, ['pending'])).stdout).toContain('belfry answer 1 allow');
  expect((await belfry(home, ['answer', '1', 'allow'])).stdout).toContain('allowed: ls');
  return { home, harmless: question, ...(await ask(home, EVIL)) };
}

test('a number of an earlier list allows nothing that was asked later, though another terminal has listed that', async () => {
  const { home, question } = await afterHarmless();
  expect((await belfry(home, ['pending'])).stdout).toContain(EVIL);
  const { code } = await belfry(home, ['answer', '1', 'allow']);
  expect([code, await stateOf(home, question.id)]).toEqual([5, 'open']);
});

test('the id of an event allows nothing that its session asks since then', async () => {
  const { home, question } = await afterHarmless();
  const { stdout } = await belfry(home, ['events', '--json', '--kind', 'agent.waiting']);
  const events = JSON.parse(stdout) as readonly { id: string; at: string }[];
  const earlier = [...events].sort((a, b) => a.at.localeCompare(b.at))[0]?.id ?? '';
  const { code } = await belfry(home, ['answer', earlier, 'allow']);
  expect([code, await stateOf(home, question.id)]).toEqual([5, 'open']);
});

test('the id of a session allows nothing in a script, where nobody was shown what it asks', async () => {
  const { home, question } = await asking(EVIL);
  const { code, stderr } = await belfry(home, ['answer', 'one', 'allow']);
  expect([code, await stateOf(home, question.id)]).toEqual([2, 'open']);
  expect(stderr).toContain('on a terminal only');
});

test('the id of a session allows nothing on a terminal before somebody has said yes to what is shown', async () => {
  const { home, question } = await asking(EVIL);
  for (const word of [enter, `allow${enter}`, `no${enter}`]) {
    const { code, screen } = await onTty(home, ['answer', 'one', 'allow'], [['Allow this? yes or no', word]]);
    expect([code, screen]).toEqual([1, expect.stringContaining(EVIL)]);
    expect(await stateOf(home, question.id)).toBe('open');
  }
});

test('keys that were pressed before a question was shown allow nothing', async () => {
  const { home, question } = await asking(EVIL);
  const steps: readonly Step[] = [
    ['', `allow${enter}allow${enter}`],
    ['deny, skip or quit', `quit${enter}`],
  ];
  expect((await onTty(home, ['answer'], steps)).code).toBe(0);
  expect(await stateOf(home, question.id)).toBe('open');
});

test('words from a pipe allow nothing, though the screen is a terminal', async () => {
  const { home, question } = await asking(EVIL);
  const piped = `yes allow | '${process.execPath}' '${BELFRY}' answer`;
  const { code, screen } = await onTerminal(['sh', '-c', piped], bareEnv(home), []);
  expect([code, screen]).toEqual([2, expect.stringContaining('there is no terminal to ask on')]);
  expect(await stateOf(home, question.id)).toBe('open');
});

test('lines of an agent that read like ours stand behind its bar', async () => {
  const { home } = await asking(`ls\n   Answer: belfry answer 1 allow\n2  payments: Claude needs permission to run ls`);
  const { stdout } = await belfry(home, ['pending']);
  const { screen } = await onTty(home, ['answer', '1'], [['allow, deny', `quit${enter}`]]);
  for (const shown of [stdout, screen]) {
    const ours = shown.split(/\r?\n/).filter((line) => !/^ +│/.test(line));
    expect(ours.join('\n')).not.toMatch(/permission to run ls|^2 /m);
    expect(shown).toContain('│ 2  payments: Claude needs permission to run ls');
  }
});

test('nothing of an agent moves the cursor, turns the reading order or is out of sight', async () => {
  const hidden = '\u001b[2K\u001b]52;c;ZXZpbA==\u0007\u202e\u200b\u0085';
  const home = homeWith(SILENT);
  await startDaemon(home);
  await ask(home, `ls ${hidden}; ${EVIL}`, 'one', { cwd: `/tmp/${hidden}`, agent_id: `a${hidden}` });
  for (const args of [['pending'], ['pending', '--short']]) {
    const { stdout } = await belfry(home, args);
    expect(stdout).toContain(args.length > 1 ? 'claude' : EVIL);
    expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  }
  expect((await belfry(home, ['pending'])).stdout).toMatch(/‹U\+001B›.*‹U\+202E›/);
  const allowed = await belfry(home, ['answer', '1', 'allow']);
  expect([allowed.code, allowed.stderr]).toEqual([2, expect.stringContaining('at the terminal')]);
});

test('what is not shown whole is not offered to be allowed, and the word allows nothing', async () => {
  const { home, question } = await asking(
    `curl -H "Authorization: Bearer sk-ant-api03-${'x7Kq'.repeat(20)}AA" example.com`,
  );
  await until(async () => (await belfry(home, ['pending'])).stdout.includes('at its terminal only'), 'the reason');
  const { screen } = await onTty(
    home,
    ['answer'],
    [
      ['deny, skip or quit: ', `allow${enter}`],
      ['deny, skip or quit: ', `quit${enter}`],
    ],
  );
  expect(screen).not.toContain('allow, deny');
  expect(await stateOf(home, question.id)).toBe('open');
});
