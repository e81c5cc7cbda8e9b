// `belfry ack` and `belfry pending` through the built programs: what waits, who has seen it, and what the receivers then get.
import { userInfo } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/store/open.ts';
import { permission, startWaiting } from '../../../support/answering.ts';
import { pathsBelow, temporaryFolder } from '../../../support/home.ts';
import { belfry, hook, startDaemon } from '../../../support/programs.ts';
import { type Receiver, startReceiver } from '../../../support/receiver.ts';
import { settleIn } from '../../../torture/senders.ts';

interface Listed {
  readonly id: string;
  readonly event_id: string;
  readonly state: string;
  readonly result?: string;
  readonly title: string;
  readonly notified?: readonly string[];
  readonly session_id?: string;
}

const ask = (home: string, session: string) =>
  hook(
    home,
    JSON.stringify({
      session_id: session,
      cwd: '/tmp',
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: `${session} wants to run npm test`,
    }),
    ['--agent', 'claude'],
  );

async function json(home: string, ...args: string[]): Promise<{ code: number | null; rows: readonly Listed[] }> {
  const { code, stdout } = await belfry(home, [...args, '--json']);
  return { code, rows: stdout === '' ? [] : (JSON.parse(stdout) as Listed[]) };
}

const types = (receiver: Receiver) =>
  receiver.requests.map(({ body }) => {
    const { type, data } = JSON.parse(body) as {
      type: string;
      data: { notification: { id: string; revision: number; acknowledged?: { why: string } } };
    };
    return [type, data.notification.revision, data.notification.acknowledged?.why ?? null];
  });

/** A daemon with a webhook that takes changes, told of these sessions' prompts. */
async function withPrompts(sessions: readonly string[]) {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  settleIn(home, `${receiver.url}/audit`, 'updates = true');
  const daemon = await startDaemon(home);
  for (const [i, session] of sessions.entries()) {
    await ask(home, session);
    await receiver.waitFor(i + 1);
  }
  return { home, receiver, daemon };
}

test('ack alone takes the one sent last; the webhook is told; nothing is left', async () => {
  const { home, receiver } = await withPrompts(['one', 'two']);
  const words = `acknowledged by ${userInfo().username} on the command line`;
  const before = await json(home, 'pending');
  expect(before).toMatchObject({
    code: 0,
    rows: [
      { session_id: 'one', state: 'open', notified: ['audit'], detail: 'permission', question: null },
      { session_id: 'two', state: 'open', notified: ['audit'] },
    ],
  });
  expect((await belfry(home, ['status'])).stdout).toContain('2 open; `belfry pending` lists them');

  const first = await belfry(home, ['ack']);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^acknowledged: /) });
  await receiver.waitFor(3);
  expect(types(receiver)[2]).toEqual(['notification.updated', 2, words]);
  expect((await json(home, 'pending')).rows.map((row) => row.session_id)).toEqual(['one']);

  const why = await belfry(home, ['why', before.rows[1]?.event_id ?? '']);
  expect(why.stdout.split(words.replace('acknowledged', 'Acknowledged'))).toHaveLength(2);
  expect(why.stdout).toContain('audit update: sent');

  expect((await belfry(home, ['ack'])).code).toBe(0);
  expect(await belfry(home, ['ack'])).toMatchObject({ code: 4, stderr: expect.stringContaining('nothing') });
  expect(await json(home, 'ack', '--all')).toEqual({ code: 0, rows: [] });
  expect(await belfry(home, ['pending'])).toMatchObject({ code: 0, stdout: 'nothing is waiting for you\n' });
  const again = await json(home, 'ack', before.rows[0]?.id ?? '');
  expect(again).toMatchObject({ code: 0, rows: [{ result: 'already', state: 'acknowledged' }] });
  await receiver.waitFor(4);
});

test('takes ids of events, notifications, deliveries and sessions, or their beginnings, and all of them', async () => {
  const { home } = await withPrompts(['by-event', 'by-notification', 'by-delivery', 'by-session', 'rest-1', 'rest-2']);
  const { rows } = await json(home, 'pending');
  const deliveries = (await json(home, 'deliveries')).rows;
  const idsOf = (session: string): readonly string[] => {
    const row = rows.find(({ session_id }) => session_id === session);
    const delivery = deliveries.find(({ event_id }) => event_id === row?.event_id);
    return [row?.id ?? '', row?.event_id ?? '', delivery?.id ?? ''];
  };
  const acked = async (id: string | undefined) =>
    (await json(home, 'ack', id ?? '')).rows.map(({ event_id, result }) => [event_id, result]);
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['by-event', idsOf('by-event')[1]],
    ['by-notification', idsOf('by-notification')[0]?.slice(0, 14)],
    ['by-delivery', idsOf('by-delivery')[2]],
    ['by-session', 'by-ses'],
  ];
  for (const [session, id] of cases) expect(await acked(id)).toEqual([[idsOf(session)[1], 'acknowledged']]);
  expect(await belfry(home, ['ack', 'no-such-id'])).toMatchObject({ code: 4, stdout: '' });
  expect(await belfry(home, ['ack', 'rest-1', '--all'])).toMatchObject({ code: 2 });
  expect((await json(home, 'pending')).rows).toHaveLength(2); // nothing done by the refused ones
  expect((await json(home, 'ack', '--all')).rows).toHaveLength(2);
});

test('without a daemon pending works, and ack starts one', async () => {
  const { home, daemon, receiver } = await withPrompts(['one', 'two']);
  await daemon.stop();
  expect((await json(home, 'pending')).rows).toHaveLength(2);
  expect(await belfry(home, ['ack', 'no-such-id'])).toMatchObject({ code: 4, stdout: '' });
  expect((await belfry(home, ['status'])).code).toBe(7);
  onTestFinished(() => belfry(home, ['stop']).then(() => undefined));
  expect(await belfry(home, ['ack'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^acknowledged: /) });
  await receiver.waitFor(3);
  expect((await json(home, 'pending')).rows.map(({ session_id }) => session_id)).toEqual(['one']);
  await belfry(home, ['stop']);
  expect((await json(home, 'ack', 'one')).rows).toMatchObject([{ result: 'acknowledged' }]);
  expect(await belfry(home, ['ack'])).toMatchObject({ code: 4, stderr: expect.stringContaining('nothing') });
});

test('an event that was sent to nobody cannot be acknowledged, and a test waits for nobody', async () => {
  const { home } = await withPrompts([]);
  await belfry(home, ['test', 'audit']);
  expect((await json(home, 'pending')).rows).toEqual([]);
  const nobody = await belfry(home, ['send', 'To nobody', '--kind', 'agent.other', '--json']);
  const { id } = JSON.parse(nobody.stdout) as { id: string };
  expect(await belfry(home, ['ack', id])).toMatchObject({ code: 4, stderr: expect.stringContaining('not sent') });
});

test('of several at the same time one acknowledges; the change feed has it', async () => {
  const { home, receiver } = await withPrompts(['one']);
  const store = await openStore(pathsBelow(home).database);
  onTestFinished(() => store.close());
  const { cursor } = await store.changesSince(null, 0);
  const all = await Promise.all([1, 2, 3].map(() => json(home, 'ack', 'one')));
  expect(all.map(({ rows }) => rows[0]?.result).sort()).toEqual(['acknowledged', 'already', 'already']);
  await receiver.waitFor(2);
  const { changes } = await store.changesSince(cursor, 1_000);
  expect(changes.filter(({ type }) => type === 'notification').length).toBe(1);
  expect(receiver.requests).toHaveLength(2);
});

test('what can still be answered stays listed, and ack says so', async () => {
  const { home, receiver } = await withPrompts([]);
  const input = permission('s-1');
  await hook(home, JSON.stringify(input), ['--agent', 'claude']);
  const { ended, question } = await startWaiting(home, input);
  await receiver.waitFor(1);
  const acked = await belfry(home, ['ack']);
  expect(acked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^acknowledged: /) });
  expect(acked.stderr).toBe('what it asks still waits for an answer: `belfry pending` says how to give it\n');
  expect((await json(home, 'pending')).rows).toHaveLength(1);
  expect(await belfry(home, ['answer', question.id, 'allow'])).toMatchObject({ code: 0 });
  expect(await ended).toMatchObject({ code: 0 });
  expect((await json(home, 'pending')).rows).toEqual([]);
});
