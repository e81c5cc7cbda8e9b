// Why, and why not on the phone: the list from what happened to each channel, over HTTP and by `belfry why`, against a real daemon.
import { expect, test } from 'vitest';
import type { ApiResult } from '../../src/http/api/contract.ts';
import { hoursIn } from '../support/hours.ts';
import { problemOf, visit, type Visitor } from '../support/interface.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

type Row = ApiResult<'events.why'>['rows'][number];

const chat = (name: string, url: string): string =>
  `[channels.${name}]\ntype = "slack"\nurl = "${url}/services/x"\nallow_private = true\n`;

const input = (session: string, what: object): string =>
  JSON.stringify({ session_id: session, cwd: '/src/payments', ...what });
const PROMPT = {
  hook_event_name: 'Notification',
  notification_type: 'permission_prompt',
  message: 'Claude needs your permission to use Bash',
};
const STOP = { hook_event_name: 'Stop', last_assistant_message: 'done' };

/** The list about a session's latest event, once `settled` holds. */
async function rowsOf({ call }: Visitor, session: string, settled: (rows: readonly Row[]) => boolean) {
  return until(async () => {
    const [event] = (await call('events.list', { session })).events;
    if (event === undefined) return null;
    const { rows } = await call('events.why', { id: event.id });
    return settled(rows) ? rows : null;
  }, `what became of ${session}`);
}

/** "phone not ..." of each row. */
const lines = (rows: readonly Row[]): readonly string[] =>
  rows.map(({ channel, what, text }) => `${channel ?? '-'} ${what} ${text}`);

const ROUTES = `
[[routes]]
match = { kind = "agent.waiting" }
to = ["desk", "team"]
escalate = [{ after = "20m", to = ["phone"] }]
repeat = "1h"
[[routes]]
match = { project = "shop", urgency = "urgent" }
to = ["night"]
[[routes]]
to = []
[[routes]]
match = { kind = "agent.finished" }
to = ["late"]
`;

test('each channel has its reason, with what is still to come, until somebody acknowledges', async () => {
  const [good, bad] = await Promise.all([startReceiver(), startReceiver()]);
  bad.answer = () => 400;
  const names = ['desk', 'phone', 'night', 'late', 'spare'];
  const home = homeWith([...names.map((name) => chat(name, good.url)), chat('team', bad.url), ROUTES].join(''));
  await startDaemon(home);
  const visitor = await visit(home);
  await hook(home, input('p', PROMPT), ['--agent', 'claude']);
  const rows = await rowsOf(
    visitor,
    'p',
    (all) =>
      all.some(({ what }) => what === 'got') && all.some(({ channel, what }) => channel === 'team' && what !== 'next'),
  );
  expect(lines(rows)).toEqual([
    '- happened payments: Claude needs permission to run Bash.',
    '- happened It goes to desk and team by route 1.',
    expect.stringMatching(/^(?:desk got desk got it\.|team not team did not get it: given up, .*400)/),
    expect.stringMatching(/^(?:desk got desk got it\.|team not team did not get it: given up, .*400)/),
    expect.stringMatching(
      /^phone next phone gets it (?:tomorrow )?at \d\d:\d\d, 20 min after the first message, unless somebody reacts\.$/,
    ),
    expect.stringMatching(/^desk next desk gets a reminder (?:tomorrow )?at \d\d:\d\d, unless somebody reacts\.$/),
    expect.stringMatching(/^team next team gets a reminder (?:tomorrow )?at/),
    'night not night did not get it: route 2 is only for project shop and what is urgent.',
    'late not late did not get it: route 4 is only for agents that have finished.',
    'spare not spare did not get it: no route names it.',
  ]);
  const times = rows.filter(({ what }) => what === 'next').map(({ at }) => Date.parse(at ?? '') - Date.now());
  expect(times.map((ms) => Math.round(ms / 60_000))).toEqual([20, 60, 60]);

  const [open] = (await visitor.call('notifications.list', {})).notifications;
  expect((await visitor.call('events.why', { id: open?.id ?? '' })).event_id).toBe(open?.event_ids[0]);
  await visitor.call('notifications.ack', { id: open?.id ?? '' });
  const over = await rowsOf(visitor, 'p', (all) => all.every(({ what }) => what !== 'next'));
  expect(lines(over)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^phone not phone did not get it, since .* 20 min: acknowledged by .* through page\.$/),
      expect.stringMatching(/^- happened Acknowledged by .* through page\.$/),
    ]),
  );
  const { stdout } = await belfry(home, ['why', open?.event_ids[0] ?? '']);
  expect(stdout).toContain('spare did not get it: no route names it.');
  expect((await asked<{ rows: unknown[] }>(home, ['why', open?.id ?? ''])).rows).toEqual(over);

  await hook(home, input('f', STOP), ['--agent', 'claude']);
  const finished = await rowsOf(visitor, 'f', () => true);
  expect(lines(finished)).toEqual(
    expect.arrayContaining([
      '- happened Nobody was to be notified: route 3 names no channel.',
      'late not late did not get it: route 4 would send it there, but route 3 takes it before and ends the search.',
    ]),
  );
  expect((await problemOf(visitor.call('events.why', { id: 'none' }))).status).toBe(404);
});

test('quiet hours, a mute, and the message that came later in their place', async () => {
  const good = await startReceiver();
  const quiet = `[quiet]\nhours = ["${hoursIn(-1, 2)}"]\nchannels = ["desk"]\n`;
  const home = homeWith(
    [chat('desk', good.url), chat('phone', good.url), '[[routes]]\nto = ["desk", "phone"]\n', quiet].join(''),
  );
  await startDaemon(home);
  const visitor = await visit(home);
  await visitor.call('mutes.add', { channel: 'phone', minutes: 240 });
  await hook(home, input('q', STOP), ['--agent', 'claude']);
  const held = await rowsOf(visitor, 'q', (rows) => rows.filter(({ what }) => what === 'next').length === 2);
  expect(lines(held).slice(2)).toEqual([
    expect.stringMatching(/^desk next desk: held back by quiet hours, comes in a digest (?:tomorrow )?at/),
    expect.stringMatching(/^phone next phone: held back by a mute, comes in a digest (?:tomorrow )?at/),
  ]);
  await visitor.call('mutes.endAll', {});
  const sent = await rowsOf(visitor, 'q', (rows) => rows.some(({ what }) => what === 'got'));
  expect(lines(sent)).toContain('phone got phone got it.');
});
