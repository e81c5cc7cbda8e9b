// `belfry pending` and `belfry answer` at a terminal: what is asked is shown whole and numbered, then asked about; what was not shown is not allowed.
import { expect, test } from 'vitest';
import { command, openQuestion, permission, questionsIn, stop, waitAsHook } from '../support/answering.ts';
import { bareEnv, BELFRY, belfry, hook, startDaemon } from '../support/programs.ts';
import { KEYS, onTerminal, type Step } from '../support/terminal.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const { enter, cancel } = KEYS;
const CHANNEL = '[channels.log]\ntype = "command"\nrun = ["/bin/true"]\n[[routes]]\nto = ["log"]\n';

async function daemonHome(): Promise<string> {
  const home = homeWith(CHANNEL);
  await startDaemon(home);
  return home;
}

/** Claude's question of two options. */
const colours = (session: string): Record<string, unknown> => ({
  ...permission(session),
  tool_name: 'AskUserQuestion',
  tool_input: { questions: [{ question: 'Which colour?', options: [{ label: 'Blue' }, { label: 'Red' }] }] },
});

const typed = (home: string, args: readonly string[], steps: readonly Step[], columns = 80) =>
  onTerminal([process.execPath, BELFRY, 'answer', ...args], bareEnv(home), steps, columns);

/** What a waiting hook is handed. */
const handed = async (talk: Awaited<ReturnType<typeof waitAsHook>>): Promise<string> =>
  JSON.stringify((await talk.next())?.data ?? null);

interface Listed {
  readonly number: number;
  readonly question: { readonly id: string; readonly text: string; readonly seen: string; readonly choices: unknown };
}
const listed = async (home: string): Promise<readonly Listed[]> =>
  JSON.parse((await belfry(home, ['pending', '--json'])).stdout) as Listed[];

test('pending shows what is asked, whole and numbered, with what to type; says so when nothing waits', async () => {
  const home = await daemonHome();
  expect((await belfry(home, ['pending'])).stdout).toBe('nothing is waiting for you\n');
  const input = { ...permission('one', 'cd build\nrm -rf ./*\nnpm test'), cwd: '/tmp/payments' };
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  await waitAsHook(home, input);
  await until(async () => (await listed(home))[0]?.question?.text, 'the first question');
  await waitAsHook(home, colours('two'));
  await waitAsHook(home, stop('three'));
  await until(async () => (await listed(home)).length === 3, 'the questions');
  const { stdout } = await belfry(home, ['pending']);
  expect(stdout).toContain('1  payments: Claude needs permission to run Bash\n');
  expect(stdout).toMatch(/ago|just now/);
  expect(stdout).toContain('in /tmp/payments · sent to log\n   │ cd build\n   │ rm -rf ./*\n   │ npm test\n');
  expect(stdout).toContain('   Answer: belfry answer 1 allow, or deny; within 60 min\n');
  expect(stdout).toContain('   │ Which colour?\n   │   1  Blue\n   │   2  Red\n   Answer: belfry answer 2 NUMBER');
  expect(stdout).toContain('   │ All done in three.\n   Next instruction: belfry reply 3 TEXT');
  const rows = await listed(home);
  expect(rows.map(({ number, question }) => [number, question.text])).toEqual([
    [1, 'cd build\nrm -rf ./*\nnpm test'],
    [2, 'Which colour?'],
    [3, 'All done in three.'],
  ]);
  const options = [{ label: 'Blue' }, { label: 'Red' }];
  expect(rows[1]?.question.choices).toMatchObject([{ question: 'Which colour?', multiple: false, options }]);
  const short = await belfry(home, ['pending', '--short']);
  expect(short.stdout.trimEnd().split('\n')).toHaveLength(3);
});

test('answer alone walks through what is open: allow, an option, a reply, what came meanwhile; then nothing is left', async () => {
  const home = await daemonHome();
  const first = await waitAsHook(home, permission('one', 'rm -rf build\nnpm run build'));
  await openQuestion(home, 'one');
  const second = await waitAsHook(home, colours('two'));
  const third = await waitAsHook(home, stop('three'));
  const fourth = await waitAsHook(home, permission('four', 'git push'));
  await until(async () => (await listed(home)).length === 4, 'the questions');
  const answers: Record<string, string> = {
    'allow, deny, skip or quit: ': 'allow',
    'a number or words of your own': '2',
    'Your next instruction': 'also update the docs',
  };
  const order = (await listed(home)).map(({ question }) => question.text);
  const ask = (text: string): Step =>
    text.startsWith('Which')
      ? ['a number or words', `${answers['a number or words of your own']}${enter}`]
      : text.startsWith('All done')
        ? ['Your next', `${answers['Your next instruction']}${enter}`]
        : text === 'git push'
          ? ['allow, deny', `deny use a branch${enter}`]
          : ['allow, deny', `allow${enter}`];
  const { code, screen } = await typed(home, [], order.map(ask));
  expect(code, screen).toBe(0);
  expect(screen).toMatch(/│ rm -rf build\r?\n +│ npm run build/);
  expect(screen).toContain('allowed: rm -rf build … (2 lines) (claude, tmp)');
  expect(screen).toContain('answered: Which colour? Red (claude, tmp)');
  expect(screen).toContain('sent: also update the docs (claude, tmp)');
  expect(screen).toContain('denied: git push (claude, tmp)');
  expect(screen).toContain('nothing else waits for an answer from here');
  expect(await handed(first)).toContain('allow');
  expect(await handed(second)).toContain('Red');
  expect(await handed(third)).toContain('also update the docs');
  expect(await handed(fourth)).toContain('use a branch');
});

test('skip, quit, Enter alone and Ctrl-C send nothing', async () => {
  const home = await daemonHome();
  await waitAsHook(home, permission('one', 'touch a'));
  await openQuestion(home, 'one');
  await waitAsHook(home, permission('two', 'touch b'));
  await until(async () => (await listed(home)).length === 2, 'the questions');
  const walked = await typed(
    home,
    [],
    [
      ['allow, deny', enter],
      ['allow, deny', `skip${enter}`],
      ['allow, deny', `quit${enter}`],
    ],
  );
  expect(walked.code, walked.screen).toBe(0);
  expect(walked.screen).toMatch(/touch a[\s\S]*touch b|touch b[\s\S]*touch a/);
  expect((await typed(home, ['1'], [['allow, deny', cancel]])).code).toBe(0);
  expect((await questionsIn(home)).map(({ state }) => state)).toEqual(['open', 'open']);
});

test('why it cannot be allowed is said once, above a short prompt; a number without an option is asked for again', async () => {
  const home = await daemonHome();
  await waitAsHook(home, permission('one', 'ls\u202e -la'));
  await openQuestion(home, 'one');
  const second = await waitAsHook(home, colours('two'));
  await until(async () => (await listed(home)).length === 2, 'the questions');
  const { code, screen } = await typed(
    home,
    [],
    [
      ['deny, skip or quit: ', `allow${enter}`],
      ['deny, skip or quit: ', `skip${enter}`],
      ['a number or words', `3${enter}`],
      ['it has no option 3, only 1 to 2', `2${enter}`],
    ],
  );
  expect(code, screen).toBe(0);
  expect(screen).toMatch(
    /It can be allowed at its terminal only: it has characters that cannot be\s+seen\.\s+deny, skip or quit: /,
  );
  expect(screen.match(/It can be allowed at its terminal only/g)).toHaveLength(1);
  expect(await handed(second)).toContain('Red');
});

test('what was answered counts the lines of the command, without what the agent says of it', async () => {
  const home = await daemonHome();
  const said = (session: string, command: string) =>
    waitAsHook(home, { ...permission(session), tool_input: { command, description: 'List the files' } });
  await said('one', 'ls');
  await openQuestion(home, 'one');
  expect((await belfry(home, ['pending'])).stdout).toContain('   │ ls\n   │ description: List the files\n');
  expect((await belfry(home, ['answer', '1', 'allow'])).stdout).toBe('allowed: ls (claude, tmp)\n');
  await said('two', 'cd build\nls');
  await until(async () => (await listed(home))[0]?.number === 2, 'the second question');
  expect((await belfry(home, ['answer', '2', 'allow'])).stdout).toBe('allowed: cd build … (2 lines) (claude, tmp)\n');
});

test('what was typed before the question could be read is thrown away', async () => {
  const home = await daemonHome();
  await waitAsHook(home, permission('one', 'rm -rf ~/'));
  await openQuestion(home, 'one');
  const { code, screen } = await typed(
    home,
    [],
    [
      ['', `allow${enter}`],
      ['allow, deny, skip or quit', `deny${enter}`],
      ['What to tell', enter],
    ],
  );
  expect([code, screen]).toEqual([0, expect.stringContaining('denied: rm -rf ~/')]);
});

test('a number stands for what it was shown for, whatever is asked by then', async () => {
  const home = await daemonHome();
  const harmless = await waitAsHook(home, permission('one', 'ls'));
  await openQuestion(home, 'one');
  expect((await belfry(home, ['pending'])).stdout).toContain('belfry answer 1 allow');
  expect(await belfry(home, ['answer', '1', 'allow'])).toMatchObject({
    code: 0,
    stdout: 'allowed: ls (claude, tmp)\n',
  });
  expect(await handed(harmless)).toContain('allow');
  const talk = await waitAsHook(home, permission('one', 'rm -rf ~/'));
  const { id } = await openQuestion(home, 'one');
  const again = await belfry(home, ['answer', '1', 'allow']);
  expect([again.code, again.stderr]).toEqual([5, expect.stringMatching(/\(command line\) answered first/)]);
  expect((await belfry(home, ['answer', '7', 'allow'])).code).toBe(4);
  expect((await belfry(home, ['pending'])).stdout).toContain('belfry answer 2 allow');
  expect((await questionsIn(home)).find((question) => question.id === id)?.state).toBe('open');
  expect((await belfry(home, ['answer', '2', 'deny'])).stdout).toBe('denied: rm -rf ~/ (claude, tmp)\n');
  expect(await handed(talk)).toContain('deny');
});

test('a session is answered on a terminal only, after what it asks by now was shown', async () => {
  const home = await daemonHome();
  const input = permission('one', 'rm -rf ~/');
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  const talk = await waitAsHook(home, input);
  await openQuestion(home, 'one');
  const blind = await belfry(home, ['answer', 'one', 'allow']);
  expect([blind.code, blind.stderr]).toEqual([2, expect.stringContaining('on a terminal only')]);
  const unsure = await typed(home, ['one', 'allow'], [['Allow this? yes or no', `n${enter}`]]);
  expect([unsure.code, unsure.screen]).toEqual([1, expect.stringContaining('│ rm -rf ~/')]);
  const sure = await typed(home, ['one', 'allow'], [['Allow this? yes or no', `yes${enter}`]]);
  expect([sure.code, sure.screen]).toEqual([0, expect.stringContaining('allowed: rm -rf ~/')]);
  expect(await handed(talk)).toContain('allow');
});

test('without a terminal there is nothing to ask on; --if-hash takes what pending showed', async () => {
  const home = await daemonHome();
  await waitAsHook(home, permission('one', 'touch a'));
  const { id } = await openQuestion(home, 'one');
  for (const args of [['answer'], ['answer', id], ['answer', '--json']]) {
    const ran = await belfry(home, args);
    expect([args, ran.code, ran.stderr]).toEqual([args, 2, expect.stringContaining('there is no terminal to ask on')]);
  }
  const which = await belfry(home, ['answer', 'allow']);
  expect([which.code, which.stderr]).toEqual([2, expect.stringContaining('`belfry answer 1 allow` answers the first')]);
  const [row] = await listed(home);
  const other = await belfry(home, ['answer', id, 'allow', '--if-hash', `${row?.question.seen.slice(1)}x`]);
  expect([other.code, other.stderr]).toEqual([5, expect.stringContaining('not what it asks now')]);
  const same = await belfry(home, ['answer', id, 'allow', '--if-hash', row?.question.seen ?? '']);
  expect(same).toMatchObject({ code: 0, stdout: 'allowed: touch a (claude, tmp)\n' });
});

test('whoever comes second hears who was first, and goes on with the next', async () => {
  const home = await daemonHome();
  await waitAsHook(home, permission('one', 'touch a'));
  const { id } = await openQuestion(home, 'one');
  const [row] = await listed(home);
  const deny = async (): Promise<string> => {
    const seen = row?.question.seen;
    await command(home, 'answer', { id, seen, answer: { type: 'deny' } });
    await waitAsHook(home, permission('two', 'touch b'));
    await openQuestion(home, 'two');
    return `allow${enter}`;
  };
  const { code, screen } = await typed(
    home,
    [],
    [
      ['allow, deny', deny],
      ['allow, deny', `allow${enter}`],
    ],
  );
  expect([code, screen]).toEqual([5, expect.stringMatching(/\(command line\) answered first[\s\S]*allowed: touch b/)]);
});
