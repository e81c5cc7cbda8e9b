// Why, and why not elsewhere: on the card and on the event's page, in plain words that follow what happens.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/interface.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const ROUTES = `
[[routes]]
match = { kind = "agent.waiting" }
to = ["desk"]
escalate = [{ after = "20m", to = ["phone"] }]
[[routes]]
match = { project = "shop", urgency = "urgent" }
to = ["night"]
[[routes]]
to = []
`;

/** Words of our own code that say nothing to a person. */
const OURS = /agent\.(?:other|waiting|finished)|session\.\w|UserPromptSubmit|classif|does not match|\bstage\b/;

async function homeWithRoutes(): Promise<string> {
  const chat = await startReceiver();
  const channels = ['desk', 'phone', 'night', 'spare'].map(
    (name) => `[channels.${name}]\ntype = "slack"\nurl = "${chat.url}/services/x"\nallow_private = true\n`,
  );
  const home = homeWith(`${channels.join('')}${ROUTES}`);
  await startDaemon(home);
  await hook(
    home,
    JSON.stringify({
      session_id: 'w',
      hook_event_name: 'Notification',
      cwd: '/src/payments',
      notification_type: 'permission_prompt',
      message: 'Claude needs your permission to use Bash',
    }),
    ['--agent', 'claude'],
  );
  return home;
}

const list = (page: Page) => page.locator('.why-list');

async function reasons(page: Page): Promise<void> {
  await list(page).getByText('It goes to desk by route 1.').waitFor();
  await list(page).getByText('desk got it.', { exact: true }).waitFor();
  await list(page)
    .getByText(/^phone gets it (?:tomorrow )?at \d\d:\d\d, 20 min after the first message, unless somebody reacts\.$/)
    .waitFor();
  await page.getByRole('heading', { name: 'Why not elsewhere?' }).waitFor();
  await list(page).getByText('night did not get it: route 2 is only for project shop and what is urgent.').waitFor();
  await list(page).getByText('spare did not get it: no route names it.').waitFor();
}

test('on the card: read when it is opened, and kept up to date', async () => {
  const home = await homeWithRoutes();
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/why')) reads += 1;
  });
  const summary = page.getByText('Why, and why not elsewhere?');
  await summary.waitFor();
  expect(reads).toBe(0);
  await summary.click();
  await reasons(page);
  expect(await violations(page)).toEqual([]);
  expect(await page.locator('.inbox-subject').innerText()).not.toMatch(OURS);
  expect((await belfry(home, ['ack'])).code).toBe(0);
  await list(page)
    .getByText(/^Acknowledged by .* on the command line\.$/)
    .waitFor();
  await list(page)
    .getByText(/^phone did not get it, since nobody had reacted for 20 min: acknowledged by/)
    .waitFor();
  expect(complaints).toEqual([]);
});

test('on the page of an event, as narrow as a phone and dark; what a prompt was is said in words', async () => {
  const home = await homeWithRoutes();
  await hook(
    home,
    JSON.stringify({ session_id: 'w', hook_event_name: 'UserPromptSubmit', prompt: 'go', cwd: '/src/payments' }),
    ['--agent', 'claude'],
  );
  const { call } = await visit(home);
  const events = await until(async () => {
    const found = (await call('events.list', { session: 'w' })).events;
    return found.length === 2 ? found : null;
  }, 'both events');
  const { page, origin } = await openPage(
    home,
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' },
    '/events',
  );
  await page.locator('.rows').getByText('payments: Claude was given work').waitFor();
  await page.locator('.rows').getByText('Not sent: no route takes it').waitFor({ state: 'attached' });
  expect(await page.locator('.rows').innerText()).not.toMatch(OURS);
  for (const { id } of events) {
    await page.goto(`${origin}/events/${id}`);
    await list(page).locator('li').first().waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(OURS);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  }
  for (const fold of await page.locator('.fold summary').all())
    expect((await fold.boundingBox())?.height).toBeGreaterThanOrEqual(44);
});

test('`belfry why` says the same, and has the stages only where all of them are asked for', async () => {
  const home = await homeWithRoutes();
  const { call } = await visit(home);
  const [event] = await until(async () => {
    const found = (await call('events.list', { session: 'w' })).events;
    return found.length > 0 ? found : null;
  }, 'the event');
  const { stdout } = await belfry(home, ['why', event?.id ?? '']);
  expect(stdout).toMatch(
    /^\S+ \S+ {2}payments: Claude needs permission to run Bash {2}normal\n {2}It goes to desk by route 1\.\n/,
  );
  expect(stdout).toContain('\nspare did not get it: no route names it.\n');
  expect(stdout).not.toMatch(OURS);
  expect((await belfry(home, ['why', event?.id ?? '', '--all'])).stdout).toMatch(/\n {2}classify +/);
});
