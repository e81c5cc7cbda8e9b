// The main job through the built programs: what hooks submit is sent once, exactly as documented.
import { expect, test } from 'vitest';
import { hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { sample } from '../support/samples.ts';
import { asked, homeWith, spool, stop, verified, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly verdicts: readonly { readonly stage: string; readonly verdict: string }[];
}

test('captured inputs reach both receivers as documented', async () => {
  const [slack, audit] = await Promise.all([startReceiver(), startReceiver()]);
  const home = homeWith(`[channels.team]
type = "slack"
url = "${slack.url}/services/x"
allow_private = true
${webhookTo(audit.url).replace('to = ["audit"]', 'to = ["team", "audit"]')}`);
  await startDaemon(home);
  const inputs = [
    sample('claude', 'Notification', 'tui-permission-deny'),
    sample('claude', 'SubagentStop', 'print-subagent'),
    sample('droid', 'SessionEnd', 'exec-plain'),
  ];
  for (const input of inputs) {
    const ran = await hook(home, input.bytes);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, '', '']);
  }
  const [waiting, ended] = (await audit.waitFor(2)).map(verified);
  expect(waiting).toMatchObject({
    type: 'agent.waiting',
    data: {
      event: {
        kind: 'agent.waiting',
        agent: 'claude',
        hook_event: 'Notification',
        detail: 'permission',
        urgency: 'normal',
        abnormal: false,
        cwd: '/home/dev/project',
        project: 'project',
      },
      notification: { count: 1 },
      context: { messages: [] },
    },
  });
  expect(ended).toMatchObject({
    type: 'session.ended',
    data: { event: { agent: 'droid', reason: 'other', abnormal: true, urgency: 'urgent' } },
  });
  expect(audit.requests[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
  });
  const messages = (await slack.waitFor(2)).map(({ body }) => JSON.parse(body) as { text: string });
  expect(messages[0]?.text).toContain('Claude');
  expect(messages[1]?.text).toContain('abnormally');
  const events = await asked<Listed[]>(home, ['events']);
  expect(events.map(({ kind }) => kind)).toEqual(['agent.waiting', 'subagent.finished', 'session.ended']);
  expect(audit.requests).toHaveLength(2);
});

test('twenty sessions at once are twenty, five same inputs at once are one, prompts two seconds apart are three', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  await startDaemon(home);
  const sessions = Array.from({ length: 20 }, (_, i) => `twenty-${i}`);
  const same = JSON.stringify(stop('five'));
  const ran = await Promise.all([
    ...sessions.map((session) => hook(home, JSON.stringify(stop(session)))),
    ...Array.from({ length: 5 }, () => hook(home, same)),
  ]);
  expect(ran.every(({ code, stdout, stderr }) => code === 0 && stdout + stderr === '')).toBe(true);
  const now = Date.now();
  const prompt = {
    session_id: 'three',
    hook_event_name: 'Notification',
    notification_type: 'permission_prompt',
    message: 'Run it?',
    cwd: '/p',
  };
  for (const seconds of [0, 2, 4]) spool(home, prompt, now - 10_000 + seconds * 1_000);
  await until(
    async () => (await asked<Listed[]>(home, ['events', '--limit', '100'])).length === 28,
    'all 28 events to be decided',
  );
  const notified = (await audit.waitFor(24)).map((request) => String(verified(request).data.event['session_id']));
  const count = (session: string): number => notified.filter((name) => name === session).length;
  expect(sessions.map(count)).toEqual(sessions.map(() => 1));
  expect([count('five'), count('three')]).toEqual([1, 3]);
  const ids = audit.requests.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
});

test('what nobody can read is kept in quarantine and counted, and harms nothing', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  await startDaemon(home);
  const deep = `{"session_id":"deep","hook_event_name":"Stop","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const inputs = ['not json', '[1,2]', '"text"', '', Buffer.from([0xff, 0xfe, 0x00]), `${deep.slice(0, -5)}`];
  for (const input of inputs) expect((await hook(home, input)).code).toBe(0);
  await hook(home, deep);
  await hook(
    home,
    '{"session_id":"proto","hook_event_name":"Stop","__proto__":{"polluted":true},"message":"\\u0000\\ud800"}',
  );
  const notified = (await audit.waitFor(2)).map((request) => verified(request).data.event['session_id']);
  expect(notified.sort()).toEqual(['deep', 'proto']);
  const status = await until(async () => {
    const now = await asked<{ quarantined: number; pending_entries: number }>(home, ['status']);
    return now.quarantined >= 5 && now.pending_entries === 0 ? now : null;
  }, 'the quarantine to be filled');
  expect(status.quarantined).toBeLessThanOrEqual(inputs.length);
});
