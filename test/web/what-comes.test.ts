// What is still to come of a notification: counted down on its card, held back by ten minutes, and what `z` undoes and what it does not.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { permission, startWaiting, stop } from '../support/answering.ts';
import { violations } from '../support/axe.ts';
import { openPage, press, pressKey } from '../support/browser.ts';
import { visit } from '../support/interface.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const PROMPT = JSON.stringify({
  session_id: 's',
  hook_event_name: 'Notification',
  cwd: '/src/payments',
  notification_type: 'permission_prompt',
  message: 'Claude needs your permission to use Bash',
});

async function homeWithEscalation(more = ''): Promise<string> {
  const chat = await startReceiver();
  const channel = (name: string): string =>
    `[channels.${name}]\ntype = "slack"\nurl = "${chat.url}/services/x"\nallow_private = true\n`;
  const route =
    '[[routes]]\nmatch = { kind = "agent.waiting" }\nto = ["desk"]\nescalate = [{ after = "20m", to = ["phone"] }]\nrepeat = "30m"\n[[routes]]\nto = ["desk"]\n';
  const home = homeWith(`${channel('desk')}${channel('phone')}${route}${more}`);
  await startDaemon(home);
  return home;
}

const countdown = (page: Page) => page.locator('.subject .countdown');

const said = (page: Page, words: string | RegExp): Promise<void> =>
  page.locator('.announcer').getByText(words).waitFor();

test('an escalation counts down, is held by a button or a key, and brought back', async () => {
  const home = await homeWithEscalation();
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  await hook(home, PROMPT, ['--agent', 'claude']);
  await countdown(page)
    .getByText(/^Next: phone in (?:19|20) min, reminder on desk in (?:29|30) min$/)
    .waitFor();
  expect(await violations(page)).toEqual([]);
  const { call } = await visit(home);
  const planned = async (): Promise<readonly number[]> =>
    ((await call('notifications.list', {})).notifications[0]?.next ?? []).map(({ at }) => Date.parse(at));
  const before = await planned();
  await press(page.getByRole('button', { name: /^Hold 10 minutes/ }));
  await said(page, /^Held for 10 minutes: phone in (?:29|30) min/);
  await countdown(page)
    .getByText(/^Next: phone in (?:29|30) min, reminder on desk in (?:39|40) min$/)
    .waitFor();
  await page.keyboard.press('z');
  await said(page, /^Brought back: phone in (?:19|20) min/);
  await countdown(page)
    .getByText(/^Next: phone in (?:19|20) min/)
    .waitFor();
  expect(await planned()).toEqual(before);
  await page.keyboard.press('z');
  await said(page, 'There is nothing more to undo');
  await page.keyboard.press('j');
  await pressKey(page, 'p');
  await said(page, /^Held for 10 minutes/);
  await countdown(page)
    .getByText(/^Next: phone in (?:29|30) min/)
    .waitFor();
  expect(complaints).toEqual([]);
});

test('what is acknowledged stays so: z says it, and undoes nothing that was before', async () => {
  const home = await homeWithEscalation();
  const { page } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  for (const session of ['one', 'two']) await hook(home, JSON.stringify(stop(session)), ['--agent', 'claude']);
  await page.locator('.inbox-row.done').nth(1).waitFor();
  await page.keyboard.press('j');
  await pressKey(page, 'h');
  await said(page, /^Muted this session for an hour/);
  await pressKey(page, 'e');
  await said(page, /^Acknowledged/);
  await page.keyboard.press('z');
  await said(page, 'An acknowledgement cannot be undone');
  const { call } = await visit(home);
  expect((await call('mutes.list', {})).mutes).toHaveLength(1);
  expect((await call('notifications.list', {})).notifications).toHaveLength(1);
});

test('the end of a mute is undone, until the same time', async () => {
  const home = await homeWithEscalation();
  const { page } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  await hook(home, JSON.stringify(stop('one')), ['--agent', 'claude']);
  await page.locator('.inbox-row.done').waitFor();
  await page.keyboard.press('j');
  await pressKey(page, 'h');
  await said(page, /^Muted this session for an hour/);
  const { call } = await visit(home);
  const ends = async (): Promise<number> => Date.parse((await call('mutes.list', {})).mutes[0]?.until ?? '');
  const before = await ends();
  await page.locator('.subject').getByText('Muted until').waitFor(); // only then the same key ends it
  await pressKey(page, 'h');
  await said(page, /^The mute is ended/);
  expect((await call('mutes.list', {})).mutes).toEqual([]);
  await page.keyboard.press('z');
  await said(page, /^Muted again/);
  expect(Math.abs((await ends()) - before)).toBeLessThan(5_000);
});

test('on a phone the button is as large as a thumb; nothing is held of what is over', async () => {
  const home = await homeWithEscalation();
  const { page } = await openPage(home, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  });
  await hook(home, PROMPT, ['--agent', 'claude']);
  await page.locator('.inbox-row').tap();
  const hold = page.getByRole('button', { name: /^Hold 10 minutes/ });
  expect((await hold.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  expect(await violations(page)).toEqual([]);
  expect((await belfry(home, ['ack'])).code).toBe(0);
  await page.locator('article.settled').waitFor();
  expect(await hold.count()).toBe(0);
  expect(await countdown(page).count()).toBe(0);
});

test('of several that ask for the same all are held, and brought back, together; why stands for each', async () => {
  const home = await homeWithEscalation('[answer]\nkinds = ["permission"]\n');
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  const folders = ['payments', 'search', 'web'];
  for (const folder of folders) {
    const asked = { ...permission(folder, 'npm ci && npm test'), cwd: `/src/${folder}` };
    await startWaiting(home, asked);
    await hook(home, JSON.stringify(asked), ['--agent', 'claude']);
  }
  await page.locator('.inbox-row').getByText('3 alike').waitFor();
  const { call } = await visit(home);
  const planned = async (): Promise<readonly number[]> =>
    (await call('notifications.list', {})).notifications
      .flatMap(({ next }) => next.filter(({ what }) => what !== 'first').map(({ at }) => Date.parse(at)))
      .sort((a, b) => a - b);
  const before = await until(async () => {
    const all = await planned();
    return all.length === 6 ? all : null; // an escalation and a reminder of each
  }, 'all to be planned');
  await page.keyboard.press('j');
  await pressKey(page, 'p');
  await said(page, /^Held for 10 minutes: phone in (?:29|30) min/);
  expect(await planned()).toEqual(before.map((at) => at + 600_000));
  await page.keyboard.press('z');
  await said(page, /^Brought back: phone in (?:19|20) min/);
  expect(await planned()).toEqual(before);
  await page.getByText('Why, and why not elsewhere?').click();
  for (const folder of folders) {
    const why = page.locator('.fold .fold').filter({ has: page.getByText(folder, { exact: true }) });
    await why.locator('summary').click();
    await why.getByText('It goes to desk by route 1.').waitFor();
  }
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
