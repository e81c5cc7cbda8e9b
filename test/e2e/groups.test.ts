// Groups through the built programs: a message that grows in place at a strict Slack, a webhook with all events, and each event found again.
import { expect, test } from 'vitest';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { BOT_TOKEN, CHANNEL, startSlackServer } from '../support/slack-server.ts';
import { asked, homeWith, SECRET, verified } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const finish = (project: string): string =>
  JSON.stringify({ session_id: `in-${project}`, hook_event_name: 'Stop', cwd: `/src/${project}` });

interface Body {
  readonly type: string;
  readonly data: {
    readonly notification: {
      readonly id: string;
      readonly title: string;
      readonly revision: number;
      readonly count: number;
    };
    readonly events?: readonly { readonly id: string; readonly project: string; readonly session_id: string }[];
  };
}

interface Row {
  readonly id: string;
  readonly notification_id: string;
  readonly channel: string;
  readonly state: string;
}

test('finishes that grow in place, across a restart; all of it found and acknowledged', async () => {
  const slack = await startSlackServer();
  const audit = await startReceiver();
  const home = homeWith(`
[channels.team]
type = "slack-app"
api_url = "${slack.url}/api"
token = "${BOT_TOKEN}"
channel = "${CHANNEL}"
allow_private = true
[channels.audit]
type = "webhook"
url = "${audit.url}"
secret = "${SECRET}"
allow_private = true
updates = true
[[routes]]
match = { urgency = "urgent" }
to = ["audit"]
[[routes]]
to = ["team", "audit"]
group = { by = ["kind"], wait = "2s", every = "8s" }
`);
  const daemon = await startDaemon(home);
  for (const project of ['api', 'web']) await hook(home, finish(project));
  const events = await until(async () => {
    const found = await asked<{ id: string; project: string }[]>(home, ['events']);
    return found.length === 2 ? found : null;
  }, 'both events');
  const [first] = events;
  // A restart while both wait.
  await daemon.stop();
  await startDaemon(home);

  const [sent] = (await audit.waitFor(1)).map((request) => verified(request) as unknown as Body);
  expect(sent).toMatchObject({
    type: 'agent.finished',
    data: { notification: { title: '2 sessions finished: api, web', revision: 1, count: 2 } },
  });
  expect(sent?.data.events?.map(({ id, project }) => `${id} ${project}`)).toEqual(
    events.map(({ id, project }) => `${id} ${project}`),
  );
  await until(() => slack.shown.length === 1, 'the message');

  await hook(home, finish('infra'));
  const waiting = await until(async () => {
    const found = await asked<{ id: string }[]>(home, ['events']);
    return found.length === 3 ? found[2] : null;
  }, 'the third event');
  const [, grown] = (await audit.waitFor(2)).map((request) => verified(request) as unknown as Body);
  expect(grown).toMatchObject({
    type: 'notification.updated',
    data: {
      notification: {
        id: sent?.data.notification.id,
        title: '3 sessions finished: api, web, infra',
        revision: 2,
        count: 3,
      },
    },
  });
  await until(() => JSON.stringify(slack.shown).includes('3 sessions finished: api, web, infra'), 'the change');
  expect(slack.shown).toHaveLength(1);

  for (const id of [first?.id ?? '', waiting?.id ?? '']) {
    const why = await belfry(home, ['why', id]);
    expect(why.stdout).toContain('one message in 8s at most');
    expect(why.stdout).toContain('in the group ntf_');
    expect(why.stdout).toContain('3 sessions finished: api, web, infra');
    const rows = await asked<Row[]>(home, ['deliveries', '--event', id]);
    expect(rows.filter(({ notification_id }) => notification_id === sent?.data.notification.id).length).toBeGreaterThan(
      1,
    );
  }
  const pending = await asked<{ id: string; events: string[] }[]>(home, ['pending']);
  expect(pending.map(({ id, events: of }) => [id, of.length])).toEqual([[sent?.data.notification.id, 3]]);
  await belfry(home, ['ack']);
  const [, , acknowledged] = (await audit.waitFor(3)).map((request) => verified(request) as unknown as Body);
  expect(acknowledged).toMatchObject({
    type: 'notification.updated',
    data: { notification: { id: sent?.data.notification.id, acknowledged: {} } },
  });
  expect(await asked<unknown[]>(home, ['pending'])).toEqual([]);
  await until(
    async () =>
      (await asked<Row[]>(home, ['deliveries'])).every(({ state }) => state === 'sent' || state === 'superseded'),
    'the end',
  );
  expect(audit.requests).toHaveLength(3);
  expect(slack.shown).toHaveLength(1);
});

test('routes test and explain say when a group goes out and what it waits for', async () => {
  const home = homeWith(
    '[channels.audit]\ntype = "webhook"\nurl = "http://127.0.0.1:9/"\nallow_private = true\n[[routes]]\nto = ["audit"]\ngroup = { by = ["project"] }\n',
  );
  const words = 'audit in 2s, with others of project payments; one message in 1m at most';
  const input = JSON.stringify({ session_id: 'one', hook_event_name: 'Stop', cwd: '/src/payments' });
  for (const args of [
    ['routes', 'test', '-'],
    ['explain', '-'],
  ])
    expect((await belfry(home, args, { input })).stdout).toContain(words);
  expect((await belfry(home, ['routes', 'show'])).stdout).toContain('group:');
});
