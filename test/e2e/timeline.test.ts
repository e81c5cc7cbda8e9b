// A session's timeline over HTTP, against a real daemon: what was given, asked, sent and answered, and for how long it waited.
import { expect, test } from 'vitest';
import { problemOf, visit } from '../support/interface.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith, spool } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const input = (session: string, what: object): Record<string, unknown> => ({
  session_id: session,
  cwd: '/src/payments',
  ...what,
});
const PROMPTED = { hook_event_name: 'UserPromptSubmit', prompt: 'Fix the build\nand run it' };
const ASKS = {
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: 'npm run build' },
};
const STOP = { hook_event_name: 'Stop', last_assistant_message: 'done' };

test('prompts, waits, messages and who ended them, in their order', async () => {
  const desk = await startReceiver();
  const home = homeWith(
    `[channels.desk]\ntype = "slack"\nurl = "${desk.url}/services/x"\nallow_private = true\n[[routes]]\nto = ["desk"]\n`,
  );
  await startDaemon(home);
  const { call } = await visit(home);
  const began = Date.now() - 90_000;
  for (const [i, what] of [PROMPTED, ASKS].entries())
    spool(home, input('s', what), began + i * 1_000, { agent: 'claude' });
  await hook(home, JSON.stringify(input('other', ASKS)), ['--agent', 'claude']);
  await desk.waitFor(2);
  const since = new Date(began - 1_000).toISOString();
  const timeline = () => call('sessions.timeline', { key: 's', since });
  const open = await until(async () => {
    const found = await timeline();
    return found.rows.some(({ what }) => what === 'sent') ? found : null;
  }, 'the message');
  expect(open.rows.map(({ what, channel }) => [what, channel])).toEqual([
    ['prompt', null],
    ['wait', null],
    ['sent', 'desk'],
  ]);
  expect(open.rows[0]?.text).toBe('Fix the build and run it');
  expect(open.rows[1]).toMatchObject({
    until: null,
    text: expect.stringMatching(/permission to run Bash: has waited/),
  });
  expect(open.rows[2]?.text).toMatch(/^Sent to desk: payments: Claude needs permission to run Bash/);
  expect(open).toMatchObject({ prompts: 1, tools: [{ name: 'Bash', count: 1 }], cut: false });

  await hook(home, JSON.stringify(input('s', STOP)), ['--agent', 'claude']);
  const over = await until(async () => {
    const found = await timeline();
    return found.rows.some(({ what }) => what === 'end') ? found : null;
  }, 'the end of the wait');
  const wait = over.rows.find(({ what }) => what === 'wait');
  expect(wait?.text).toMatch(/permission to run Bash: waited \d+ (?:s|min)$/);
  const waited = (Date.parse(wait?.until ?? '') - Date.parse(wait?.at ?? '')) / 1_000;
  const midnight = new Date().setHours(0, 0, 0, 0);
  const today = (Date.parse(wait?.until ?? '') - Math.max(midnight, Date.parse(wait?.at ?? ''))) / 1_000;
  expect(waited).toBeGreaterThan(80);
  expect(Math.abs(over.waited_today.seconds - today)).toBeLessThanOrEqual(1);
  expect(over.waited_today.text).toMatch(/^\d+ (?:s|min) waited for you today\.$/);
  expect(over.rows.map(({ at }) => at)).toEqual(over.rows.map(({ at }) => at).toSorted());
  const { rows } = await call('sessions.timeline', { key: 's', since: new Date(Date.now() + 60_000).toISOString() });
  expect(rows).toEqual([]);
  expect((await problemOf(call('sessions.timeline', { key: 'none' }))).status).toBe(404);
});
