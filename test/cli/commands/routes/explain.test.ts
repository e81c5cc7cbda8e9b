// `explain`, `routes test` and `why`: each planned step with its time and its condition, now and at another time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { belfry, hook, startDaemon } from '../../../support/programs.ts';
import { startReceiver } from '../../../support/receiver.ts';
import { asked, homeWith } from '../../../support/thread.ts';
import { until } from '../../../support/wait.ts';

const settings = (url = 'https://127.0.0.1:9'): string => `
[channels.desk]
type = "slack"
url = "${url}/services/x"
allow_private = true
[channels.phone]
type = "ntfy"
server = "${url}"
topic = "belfry-of-the-tests"
allow_private = true
[[routes]]
match = { kind = "agent.waiting" }
to = ["desk"]
when = "away"
escalate = [{ after = "30m", to = ["phone"] }]
[quiet]
hours = ["22:00-07:00", "sat 00:00-24:00"]
channels = ["desk"]
`;
const TZ = { env: { TZ: 'UTC' } };

const ASKS = JSON.stringify({
  session_id: 'one',
  hook_event_name: 'PermissionRequest',
  cwd: '/src/payments',
  tool_name: 'Bash',
  tool_input: { command: 'make' },
  tool_use_id: 'u1',
});
const ANSWERED = JSON.stringify({ ...JSON.parse(ASKS), hook_event_name: 'PostToolUse', tool_response: {} });

function files(): { readonly home: string; readonly input: string } {
  const home = homeWith(settings());
  const input = join(home, 'asks.json');
  writeFileSync(input, ASKS);
  return { home, input };
}

test('explain says when each step is due and under which condition', async () => {
  const { home, input } = files();
  const at = ['--agent', 'claude', '--at', '2026-03-02T12:00'];
  const { stdout, code } = await belfry(home, ['explain', input, ...at], TZ);
  expect(code).toBe(0);
  expect(stdout).toContain('\n  at once, only while you are away from that session\n');
  expect(stdout).toContain(
    '\n  in 30 min, at 2026-03-02 12:30:00, unless acknowledged or resolved, only while you are away from that session\n',
  );
  const { stdout: routed } = await belfry(home, ['routes', 'test', input, ...at], TZ);
  expect(routed).toContain('\n  desk: at once, only while you are away from that session\n  phone: in 30 min, at 2026');
});

test.each<[at: string, held: string | null]>([
  ['2026-03-02T12:00', null],
  ['2026-03-02T23:30', '2026-03-03T07:00:00.000Z'],
  ['2026-03-07T12:00', '2026-03-08T07:00:00.000Z'], // a Saturday, then the night before Sunday
])('explain --at %s', async (at, held) => {
  const { home, input } = files();
  const args = ['explain', input, '--agent', 'claude', '--at', at, '--json'];
  const { plan, at: given } = JSON.parse((await belfry(home, args, TZ)).stdout) as {
    readonly at: string;
    readonly plan: readonly {
      readonly channel: string;
      readonly step: number;
      readonly due: string;
      readonly held_by: string | null;
    }[];
  };
  expect(given).toBe(`${at}:00.000Z`);
  if (held === null)
    expect(plan.map(({ channel, step }) => [channel, step])).toEqual([
      ['desk', 0],
      ['phone', 1],
    ]);
  else
    expect(plan).toMatchObject([
      { channel: 'desk', step: 0, due: held, held_by: 'quiet' },
      { channel: 'phone', step: 1, words: expect.stringMatching(/^in 30 min, at /) }, // nothing holds it there,
    ]);
});

test('a time that is none', async () => {
  const { home, input } = files();
  const ran = await belfry(home, ['explain', input, '--at', 'later']);
  expect([ran.code, ran.stderr]).toEqual([
    2,
    'belfry explain: --at "later" is no time such as 23:30, "sat 03:00" or 2026-03-01T23:30\n',
  ]);
});

test('why names the steps ahead, then how it was resolved; a stored event can be asked about at another time', async () => {
  const receiver = await startReceiver();
  const home = homeWith(settings(receiver.url).replace(/\[quiet\][\s\S]*/, ''));
  await startDaemon(home);
  await hook(home, ASKS, ['--agent', 'claude']);
  await receiver.waitFor(1);
  const [event] = await asked<{ id: string }[]>(home, ['events']);
  const why = async (): Promise<string> => (await belfry(home, ['why', event?.id ?? ''])).stdout;
  await until(async () => (await why()).includes('accepted'), 'the first send');
  expect(await why()).toMatch(
    /planned, unless acknowledged or resolved, only while you are away from that session: 20/,
  );
  expect(await why()).toContain('\n  nothing shows that you are there\n');
  const { stdout } = await belfry(home, ['routes', 'test', event?.id ?? '', '--at', '2026-03-02T12:00'], TZ);
  expect(stdout).toContain('  phone: in 30 min, at 2026-03-02 12:30:00');
  await hook(home, ANSWERED, ['--agent', 'claude']);
  await until(async () => (await why()).includes('Answered'), 'the resolution');
  expect(await why()).toMatch(/\n {2}Answered in the terminal (at once|after \d+ s)\. 20/);
  const { notifications } = await asked<{ notifications: unknown[] }>(home, ['why', event?.id ?? '']);
  expect(notifications).toMatchObject([{ state: 'resolved', resolved: { why: expect.stringContaining('terminal') } }]);
});
