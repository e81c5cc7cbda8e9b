// `belfry answer` and `reply` for what can only be answered at its terminal, or not now: the words say so, and what helps.
import { expect, test } from 'vitest';
import { homeWithClient } from '../support/inside-client.ts';
import { homeWith } from '../support/thread.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

/** Hook inputs, each of a session of its own. */
const SESSIONS: readonly (readonly [agent: string, input: object, session: string, state: string])[] = [
  [
    'gemini',
    { session_id: 'gem', hook_event_name: 'Notification', notification_type: 'ToolPermission' },
    'gem',
    'waiting',
  ],
  [
    'claude',
    { session_id: 'cla', hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'ls' } },
    'cla',
    'waiting',
  ],
  ['opencode', { type: 'session.idle', properties: { sessionID: 'ope' } }, 'ope', 'finished'],
  ['claude', { session_id: 'wor', hook_event_name: 'UserPromptSubmit', prompt: 'Go on' }, 'wor', 'working'],
  ['claude', { session_id: 'fin', hook_event_name: 'Stop', last_assistant_message: 'Done.' }, 'fin', 'finished'],
];

const CASES: readonly (readonly [args: readonly string[], words: RegExp])[] = [
  [
    ['answer', 'gem', 'allow'],
    /Gemini waits for permission at its terminal\. It can be answered there only\. \(nothing/,
  ],
  [['reply', 'gem', 'go on'], /Gemini waits for permission at its terminal/],
  [
    ['answer', 'cla', 'allow'],
    /Claude waits for permission at its terminal\..*`belfry install claude --answer` lets you answer Claude/,
  ],
  [['answer', 'wor', 'allow'], /Claude asks nothing now: the session is at work/],
  [['reply', 'wor', 'go on'], /Claude is at work: it takes its next instruction from elsewhere once it has finished/],
  [['reply', 'fin', 'go on'], /Claude has finished.*`belfry install claude --answer`/],
  [['reply', 'ope', 'go on'], /opencode has finished.*`belfry install opencode --answer`/],
];

test('a session that can only be answered at its terminal: where, and what would help', async () => {
  const home = homeWith('[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n');
  await startDaemon(home);
  for (const [agent, input] of SESSIONS)
    await hook(home, JSON.stringify({ cwd: '/tmp', ...input }), ['--agent', agent]);
  const wanted = SESSIONS.map(([, , id, state]) => `${id} ${state}`).sort();
  await until(async () => {
    const { stdout } = await belfry(home, ['sessions', '--all', '--json']);
    const rows = JSON.parse(stdout) as readonly { session_id: string; state: string }[];
    return (
      rows
        .map((row) => `${row.session_id} ${row.state}`)
        .sort()
        .join() === wanted.join()
    );
  }, 'the sessions');
  const run = homeWithClient(home, 'claude', '2.1.197 (Claude Code)');
  for (const [args, words] of CASES) {
    const ran = await run(...args);
    expect([args, ran.code, ran.stderr]).toEqual([args, 2, expect.stringMatching(words)]);
    expect(ran.stderr).toContain('(nothing was sent)');
    expect(ran.stderr).not.toMatch(/ a opencode/);
  }
  // Where nothing would be installed, nothing is promised.
  for (const [says, why] of [
    [
      'of its own',
      'its version is not known (`claude --version` printed no version), and it takes 2.1.197 or later; make `claude --version` work in this shell',
    ],
    ['2.1.100 (Claude Code)', 'version 2.1.100 is too old, it takes 2.1.197 or later; upgrade it'],
  ] as const) {
    const { stderr } = await homeWithClient(home, 'claude', says)('answer', 'cla', 'allow');
    expect(stderr).toContain(`It can be answered there only: ${why}, `);
    expect(stderr).toMatch(/, then run `belfry install claude --answer`\./);
    expect(stderr).not.toContain('lets you answer');
  }
});

test('a session that is over asks nothing, wherever it could be answered', async () => {
  const home = homeWith('[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n');
  const run = homeWithClient(home, 'claude', '2.1.197 (Claude Code)');
  expect(await run('install', 'claude', '--answer')).toMatchObject({ code: 0 });
  await startDaemon(home);
  const failed = { session_id: 'fai', hook_event_name: 'StopFailure', error: 'server_error', cwd: '/tmp' };
  await hook(home, JSON.stringify(failed), ['--agent', 'claude']);
  await until(
    async () => (await belfry(home, ['sessions', '--all', '--json'])).stdout.includes('failed'),
    'it to fail',
  );
  for (const [args, words] of [
    [['answer', 'fai', 'allow'], 'Claude has failed and asks nothing now. (nothing was sent)'],
    [['reply', 'fai', 'go on'], 'Claude has failed and takes no reply from here now. (nothing was sent)'],
  ] as const)
    expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});
