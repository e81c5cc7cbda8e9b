// What would happen: an input at a time, and a stored event now, are what the command line says.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/interface.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { hoursIn, timeIn } from '../support/hours.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const settings = (url: string): string => `
[channels.desk]
type = "slack"
url = "${url}/desk"
allow_private = true
[channels.phone]
type = "slack"
url = "${url}/phone"
allow_private = true
[channels.audit]
type = "command"
run = ["true"]
[channels.spare]
type = "command"
run = ["true"]
[[routes]]
match = { kind = "agent.waiting" }
to = ["desk"]
escalate = [{ after = "10m", to = ["phone"] }]
[[routes]]
to = ["desk", "audit"]
[quiet]
hours = ["${hoursIn(6, 8)}"]
channels = ["desk", "phone"]
`;
const FINISHED = '{"hook_event_name":"Stop","session_id":"t","cwd":"/src/tried","last_assistant_message":"done"}';

interface Explained {
  readonly plan: readonly {
    readonly channel: string;
    readonly step: number;
    readonly held_by: string | null;
    readonly due: string;
  }[];
}
/** Without what a moment between two questions changes. */
const shape = ({ plan }: Explained) => plan.map(({ channel, step, held_by }) => [channel, step, held_by]);

test('an input in quiet hours and outside them, an event now and at another time', async () => {
  const home = homeWith(settings((await startReceiver()).url));
  await startDaemon(home);
  const file = join(home, 'input.json');
  writeFileSync(file, FINISHED);
  const { call } = await visit(home);
  const { page, complaints, origin } = await openPage(home, {}, '/rules');
  await page.getByText('No route names').waitFor();
  expect(await page.getByText('No route names').innerText()).toBe('No route names spare.'); // phone is a step of one
  await page.locator('.routes').getByText('after 10 min to phone').waitFor();
  const quiet = page.getByRole('region', { name: 'Quiet hours' });
  expect((await quiet.locator('p').allInnerTexts()).map((line) => line.trim())).toEqual([
    hoursIn(6, 8),
    'desk, phone: what comes then arrives as one digest at the end.',
    'Urgent notifications get through.',
  ]);
  await page.getByLabel(/^A hook's input/).fill(FINISHED);
  await page.getByLabel('Agent').fill('claude');
  const when = page.getByLabel('When (optional)');
  for (const [moment, words, holds] of [
    [timeIn(7), 'held by quiet hours, in a digest', 'quiet'],
    [timeIn(3), 'at once', null],
  ] as const) {
    await when.fill(moment);
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByRole('status').getByText(words).first().waitFor();
    const said = await asked<Explained>(home, ['explain', file, '--agent', 'claude', '--at', moment]);
    const tried = await call('rules.try', { input: FINISHED, agent: 'claude', at: moment });
    expect(shape(tried)).toEqual(shape(said));
    expect(shape(said)).toEqual([
      ['desk', 0, holds],
      ['audit', 0, null], // a record is never quiet
    ]);
    expect(tried.plan.map(({ due }) => due)).toEqual(said.plan.map(({ due }) => due));
  }
  await when.fill('soon');
  await page.getByRole('button', { name: 'Try' }).click();
  await page.locator('.announcer .failed', { hasText: 'the time must be such as 23:30' }).waitFor();

  await hook(
    home,
    JSON.stringify({
      session_id: 's',
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      cwd: '/src/a',
      message: 'Claude needs your permission to use Bash',
    }),
    ['--agent', 'claude'],
  );
  const event = await until(async () => (await call('events.list', {})).events[0], 'an event');
  await page.goto(`${origin}/events/${event.id}`);
  const section = page.getByRole('region', { name: 'What would happen now' });
  await section.getByRole('button', { name: 'Explain' }).focus();
  await page.keyboard.press('Enter');
  await section.getByText('It would go to').waitFor();
  await section.getByText('route 2').waitFor();
  expect(await section.innerText()).toMatch(/phone.*\n?.*in 10 min.*unless acknowledged or resolved/);
  const test = await asked<Explained>(home, ['routes', 'test', event.id, '--at', timeIn(3)]);
  expect(shape(await call('rules.explain', { id: event.id, at: timeIn(3) }))).toEqual(shape(test));
  expect(await violations(page)).toEqual([]);
  await section.getByLabel('When (optional)').fill('sat 03:00');
  await section.getByRole('button', { name: 'Explain' }).click();
  await section
    .getByText(/^What happens (?:tomorrow at|on \S+ at|at) 03:00$/)
    .first()
    .waitFor();
  expect((await call('events.list', {})).events).toHaveLength(1); // nothing was written
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([]); // a time that is none
});
