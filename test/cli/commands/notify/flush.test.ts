// `belfry flush`: a job ends when its notifications are out, and knows when they are not.
import { expect, test } from 'vitest';
import { belfry, hook, startDaemon } from '../../../support/programs.ts';
import { startReceiver } from '../../../support/receiver.ts';
import { chatAndWebhookTo, homeWith as homeOf } from '../../../support/thread.ts';

/** A home with one webhook on this route. */
const homeWith = (url: string, route = ''): string =>
  homeOf(
    `[channels.team]\ntype = "webhook"\nurl = "${url}"\nallow_private = true\n[[routes]]\nto = ["team"]\n${route}`,
  );

/** A session waits for somebody; no daemon is started for it. */
const asks = (home: string, session: string): Promise<unknown> => {
  const input = { session_id: session, cwd: '/tmp', hook_event_name: 'Notification', message: 'Shall I?' };
  return hook(home, JSON.stringify(input), ['--agent', 'claude'], { env: { BELFRY_NO_AUTOSTART: '1' } });
};

test('waits for what was just handed over, also for what a route delays, and starts the daemon for it', async () => {
  const receiver = await startReceiver();
  const home = homeWith(receiver.url, 'delay = "1s"\nescalate = [{ after = "1h", to = ["team"] }]\n');
  for (let n = 0; n < 3; n++) await asks(home, `s-${n}`);
  expect(receiver.requests).toEqual([]);
  const ran = await belfry(home, ['flush']);
  expect(ran).toMatchObject({ code: 0, stdout: 'everything is delivered\n', stderr: '' });
  expect(receiver.requests).toHaveLength(3);
  expect(await belfry(home, ['stop'])).toMatchObject({ code: 0 });
});

test('says what is not delivered: in time, or at all', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => 503;
  const home = homeWith(receiver.url);
  const { stop } = await startDaemon(home);
  await asks(home, 's');
  const late = await belfry(home, ['flush', '--timeout', '500ms']);
  expect([late.code, late.stdout]).toEqual([5, '']);
  expect(late.stderr).toMatch(/^belfry flush: not delivered within .*: 1 for team; `belfry deliveries` lists them\n$/);
  const json = await belfry(home, ['flush', '--timeout', '500ms', '--json']);
  expect(json.code).toBe(5);
  expect(JSON.parse(json.stdout)).toEqual({ delivered: false, events: 0, waiting: { team: 1 }, failed: {}, held: 0 });
  await stop();

  const refusing = await startReceiver();
  refusing.answer = () => 401;
  const other = homeWith(refusing.url);
  await startDaemon(other);
  await asks(other, 's');
  const paused = await belfry(other, ['flush']);
  expect([paused.code, paused.stderr]).toEqual([5, expect.stringContaining('failed: 1 for team')]);
});

test('waits for nothing that is held for a digest, and refuses what is no duration', async () => {
  const chat = await startReceiver();
  const audit = await startReceiver();
  const home = homeOf(chatAndWebhookTo(chat.url, audit.url));
  await startDaemon(home);
  expect((await belfry(home, ['mute', '1h', '--all'])).code).toBe(0);
  await asks(home, 's');
  expect(await belfry(home, ['flush'])).toMatchObject({
    code: 0,
    stdout: 'everything is delivered; 1 held for a digest\n',
  });
  expect([chat.requests.length, audit.requests.length]).toEqual([0, 1]); // a record is not muted
  expect(await belfry(home, ['flush', '--timeout', 'soon'])).toMatchObject({ code: 2 });
});

test('send --wait ends when all is delivered and leaves no daemon behind that it started; one that was there stays', async () => {
  const receiver = await startReceiver();
  const home = homeWith(receiver.url, 'delay = "1s"\n');
  await asks(home, 's'); // waits in the spool: the job's agent
  const ran = await belfry(home, ['send', 'Build 7 is green', '--wait', '30s']);
  expect([ran.code, ran.stdout]).toEqual([0, 'team: delivered\n']);
  expect(receiver.requests).toHaveLength(2);
  expect((await belfry(home, ['status'])).stdout).toMatch(/not running/);
  const { stop } = await startDaemon(home);
  expect(await belfry(home, ['send', 'Build 8 is green', '--wait', '30s'])).toMatchObject({ code: 0 });
  expect((await belfry(home, ['status'])).stdout).not.toMatch(/not running/);
  await stop();
});

test('send --wait says what is not delivered in time, and keeps it for the next daemon', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => 503;
  const home = homeWith(receiver.url);
  const ran = await belfry(home, ['send', 'Build 7 is red', '--wait', '1s']);
  expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('not delivered within 1 s: team')]);
  expect((await belfry(home, ['status'])).stdout).toMatch(/not running/);
  receiver.answer = () => 200;
  expect(await belfry(home, ['flush'])).toMatchObject({ code: 0 });
  expect(receiver.requests.at(-1)?.body).toContain('Build 7 is red');
  expect(await belfry(home, ['stop'])).toMatchObject({ code: 0 });
  expect(await belfry(home, ['send', 'x', '--wait', 'soon'])).toMatchObject({ code: 2 });
});
