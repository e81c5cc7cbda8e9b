// What would become of a prompt, and of something urgent, that came now: what the daemon says over HTTP is what it then does.
import { expect, test } from 'vitest';
import type { ApiResult } from '../../src/http/api/contract.ts';
import { hoursIn, timeIn } from '../support/hours.ts';
import { visit, type Visitor } from '../support/interface.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, SECRET } from '../support/thread.ts';
import { until } from '../support/wait.ts';

type Forecast = ApiResult<'status.ifNow'>['prompt'];

const PROMPT = {
  hook_event_name: 'Notification',
  notification_type: 'permission_prompt',
  message: 'Claude needs your permission to use Bash',
};
const FAILURE = { hook_event_name: 'SessionEnd', reason: 'error' };

const input = (session: string, what: object, cwd = '/src/payments'): string =>
  JSON.stringify({ session_id: session, cwd, ...what });

const chat = (name: string, url: string): string =>
  `[channels.${name}]\ntype = "slack"\nurl = "${url}/services/x"\nallow_private = true\n`;
const audit = (url: string): string =>
  `[channels.audit]\ntype = "webhook"\nurl = "${url}"\nsecret = "${SECRET}"\nallow_private = true\n`;

/** "desk 0 goes" of each message that it would send. */
const said = ({ sends }: Forecast): readonly string[] =>
  sends.map(({ channel, step, state }) => `${channel} ${step} ${state}`).sort();

/** The same of what an input of this session really came to. */
async function became({ call }: Visitor, home: string, session: string): Promise<readonly string[]> {
  await until(async () => (await call('events.list', { session })).events.length > 0, 'the event');
  const rows = await asked<{ channel: string; step: number; held_by: string | null; session_id: string }[]>(home, [
    'deliveries',
  ]);
  return rows
    .filter((row) => row.session_id === session)
    .map(({ channel, step, held_by }) => `${channel} ${step} ${held_by === null ? 'goes' : 'held'}`)
    .sort();
}

test('escalation, a record, quiet hours and a mute: what is said is what then happens', async () => {
  const [desk, phone, record] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  const quiet = `[quiet]\nhours = ["${hoursIn(-1, 2)}"]\nchannels = ["desk"]\n`;
  const route = '[[routes]]\nto = ["desk", "audit"]\nescalate = [{ after = "2m", to = ["phone"] }]\n';
  const home = homeWith([chat('desk', desk.url), chat('phone', phone.url), audit(record.url), route, quiet].join(''));
  await startDaemon(home);
  const visitor = await visit(home);
  const first = await visitor.call('status.ifNow', {});
  expect(said(first.prompt)).toEqual(['audit 0 goes', 'desk 0 held', 'phone 1 goes']);
  expect(said(first.urgent)).toEqual(['audit 0 goes', 'desk 0 goes', 'phone 1 goes']);
  const end = timeIn(2);
  expect(first.prompt.text).toMatch(
    new RegExp(`^A prompt would go to phone after 2 min; desk has quiet hours until (?:tomorrow )?${end}\\.$`),
  );
  expect(first.urgent.text).toBe('Something urgent would go to desk at once and to phone after 2 min.');
  expect(first.text).toBe(`${first.prompt.text} ${first.urgent.text}`);
  expect(first.notes).toMatchObject([
    { channel: null, text: expect.stringMatching(/^Quiet hours until .*urgent is sent/) },
  ]);
  await hook(home, input('p', PROMPT), ['--agent', 'claude']);
  await hook(home, input('f', FAILURE), ['--agent', 'claude']);
  expect(await became(visitor, home, 'p')).toEqual(said(first.prompt));
  expect(await became(visitor, home, 'f')).toEqual(said(first.urgent));

  await visitor.call('mutes.add', { channel: 'phone', all: true, minutes: 90 });
  await visitor.call('mutes.add', { channel: 'desk', all: true });
  const muted = await visitor.call('status.ifNow', {});
  expect(muted.urgent.text).toMatch(
    /^Something urgent would reach nobody: desk is muted until you unmute it; phone is muted until (?:tomorrow )?\d\d:\d\d\.$/,
  );
  expect(said(muted.urgent)).toEqual(['audit 0 goes', 'desk 0 held', 'phone 1 held']);
  await hook(home, input('g', FAILURE), ['--agent', 'claude']);
  expect((await became(visitor, home, 'g')).filter((row) => row.startsWith('desk'))).toEqual(['desk 0 held']);
  expect(muted.notes.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Muted until (?:tomorrow )?\d\d:\d\d: channel phone; urgent events too\.$/),
      'Muted until you unmute: channel desk; urgent events too.',
    ]),
  );
});

test('a channel that fails, one that no route names, and routes by project', async () => {
  const desk = await startReceiver();
  desk.answer = () => 403;
  const route = '[[routes]]\nmatch = { project = "payments" }\nto = ["desk"]\n[[routes]]\nto = []\n';
  const home = homeWith([chat('desk', desk.url), chat('phone', desk.url), route].join(''));
  await startDaemon(home);
  const visitor = await visit(home);
  const { call } = visitor;
  const before = await call('status.ifNow', {});
  expect(before.text).toBe('A prompt or something urgent would reach nobody: route 2 names no channel.');
  expect(before.notes).toEqual([{ channel: 'phone', text: 'No route names phone: it gets nothing.' }]);
  expect(before.from).toBe(null);

  await hook(home, input('s', FAILURE), ['--agent', 'claude']);
  const after = await until(async () => {
    const found = await call('status.ifNow', {});
    return found.prompt.sends.some(({ state }) => state === 'failing') ? found : null;
  }, 'the channel to fail');
  expect(after.text).toMatch(
    /^A prompt or something urgent from Claude in payments would reach nobody: desk has been failing since \d\d:\d\d\.$/,
  );
  expect(after.from).toEqual({ agent: 'claude', project: 'payments', session_id: 's' });
  expect(after.notes[0]).toMatchObject({
    channel: 'desk',
    text: expect.stringMatching(/^desk has been failing since/),
  });
  const { stdout } = await belfry(home, ['status']);
  expect(stdout).toContain(`if now   ${after.text}`);
});

test('a group, a delay and presence: what waits for its person says so', async () => {
  const desk = await startReceiver();
  const route =
    '[[routes]]\nmatch = { kind = "agent.waiting" }\nto = ["desk"]\ndelay = "5s"\nwhen = "away"\n[[routes]]\nto = ["desk"]\n';
  const home = homeWith([chat('desk', desk.url), route].join(''));
  await startDaemon(home);
  const { call } = await visit(home);
  const found = await call('status.ifNow', {});
  expect(found.prompt.text).toBe('A prompt would go to desk after 5 s, if you are away by then.');
  expect(found.urgent.text).toBe('Something urgent would go to desk at once.');
  expect((await belfry(home, ['away', '2h'])).code).toBe(0);
  expect((await call('status.ifNow', {})).notes).toMatchObject([
    { text: expect.stringMatching(/^You are away until /) },
  ]);
});

test('a channel that did not take its last message is noted, a test too; one that is failing makes `send` say so', async () => {
  const desk = await startReceiver();
  desk.answer = () => 400;
  const home = homeWith(`${chat('desk', desk.url)}[[routes]]\nto = ["desk"]\n`);
  await startDaemon(home);
  const visitor = await visit(home);
  expect((await belfry(home, ['test', 'desk'])).code).not.toBe(0);
  const { notes, urgent } = await visitor.call('status.ifNow', {});
  expect(urgent.text).toBe('Something urgent would reach nobody: desk did not take its last message.');
  expect(notes).toMatchObject([
    { channel: 'desk', text: expect.stringMatching(/^desk did not take its last message \(\d\d:\d\d\): /) },
  ]);
  desk.answer = () => 403;
  expect((await belfry(home, ['send', 'one'])).code).toBe(5);
  await until(
    async () => (await asked<{ channels: { state: string }[] }>(home, ['status'])).channels[0]?.state === 'failing',
    'a failing channel',
  );
  const sent = await belfry(home, ['send', 'two']);
  expect(sent).toMatchObject({
    code: 5,
    stdout: 'desk: paused: its channel is failing; it is sent when that takes messages again\n',
  });
});
