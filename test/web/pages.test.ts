// Every page in a real browser: what it shows and does, nothing in the console, no violation that axe finds, light and dark, as wide as a phone.
import { expect, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { homeWithEverything } from '../support/made-home.ts';
import { until } from '../support/wait.ts';

const PAGES = [
  ['/', 'Inbox', 'parser'],
  ['/sessions', 'Sessions', 'parser'],
  ['/events', 'Events', 'Sent to log'],
  ['/deliveries', 'Deliveries', 'Given up'],
  ['/channels', 'Channels', 'Last delivery failed'],
  ['/rules', 'Rules', 'and stop here'],
] as const;

/** Whether every link to a page is seen whole; in how many rows. */
const LINKS = `(({ scrollWidth, clientWidth, children }) => ({ whole: scrollWidth <= clientWidth, rows: new Set([...children].filter(({ offsetParent }) => offsetParent !== null).map(({ offsetTop }) => offsetTop)).size }))(document.querySelector('header nav'))`;

test.each(['light', 'dark'] as const)(
  'every page in %s: complete, silent, accessible, as narrow as a phone',
  async (colorScheme) => {
    const { home } = await homeWithEverything();
    const { page, complaints } = await openPage(home, { colorScheme });
    const look = async (what: string): Promise<void> => {
      expect(await violations(page), what).toEqual([]);
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), what).toBeLessThanOrEqual(320);
      expect(await page.evaluate(LINKS), what).toMatchObject({ whole: true });
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate(LINKS), what).toEqual({ whole: true, rows: 1 });
      // Those that do not fit are behind one press.
      await page.getByRole('button', { name: 'More' }).click();
      for (const link of await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all())
        expect((await link.boundingBox())?.height, what).toBeGreaterThanOrEqual(44);
      expect(await page.evaluate(LINKS), what).toMatchObject({ whole: true });
      await page.getByRole('button', { name: 'More' }).click();
      await page.setViewportSize({ width: 1280, height: 800 });
    };
    for (const [path, title, text] of PAGES) {
      await page.getByRole('navigation').getByRole('link', { name: title }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByText(text).locator('visible=true').first().waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      await look(path);
    }
    await page.goto(new URL('/sessions', page.url()).href);
    await page.locator('.card.session a').first().click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await look('a session');
    await page.locator('.timeline a').first().click();
    await page.getByRole('heading', { name: 'Why', exact: true }).waitFor();
    await look('an event');
    expect(complaints).toEqual([]);
  },
);

test('filters and searches on the server, ends and adds mutes, tests a channel, sends again, tries an input', async () => {
  const { home } = await homeWithEverything();
  const { page, complaints, origin } = await openPage(home, {}, '/events');
  const rows = page.locator('.rows > li');
  await rows.nth(7).waitFor();
  await page.getByLabel('Search events').fill('comments');
  await until(
    () => page.evaluate<boolean>('document.querySelectorAll(".rows > li").length === 1'),
    'the page to show it',
  );
  expect(page.url()).toBe(`${origin}/events?q=comments`);
  await page.getByLabel('Search events').fill('nothing has this');
  await page.getByText('No event matches').waitFor();
  await page.goto(`${origin}/events?kind=session.ended`);
  await page.locator('.rows a').click();
  await page.getByText('Attempt 1 ').first().waitFor();

  await page.goto(`${origin}/deliveries?state=dead`);
  await page
    .getByRole('button', { name: /^Send again/ })
    .first()
    .click();
  await page.locator('.announcer p').waitFor();

  await page.goto(`${origin}/channels`);
  await page.getByRole('button', { name: 'Send a test: log' }).click();
  await page.getByText('log took the test').waitFor();
  await page.getByRole('button', { name: 'Send a test: phone' }).click();
  await page.locator('.announcer .failed').waitFor();

  await page.goto(`${origin}/rules`);
  await page.getByLabel('Why (optional)').fill('lunch');
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.locator('.mutes li', { hasText: 'lunch' }).getByRole('button').click();
  await page.getByText('Nothing is muted').waitFor();
  await page.getByLabel(/^A hook's input/).fill('{"hook_event_name":"Stop","session_id":"t","cwd":"/src/tried"}');
  await page.getByLabel('Agent').fill('claude');
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('It would go to').waitFor();
  expect(complaints).toEqual([]);
});

test('the whole by keyboard: skip link, search, lists, acknowledge, help', async () => {
  const { home } = await homeWithEverything();
  const { page } = await openPage(home);
  const open = '.inbox-row:not(.settled)';
  await page.locator(open).nth(5).waitFor();
  const before = await page.locator(open).count();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.keyboard.press('j');
  expect(await page.evaluate('document.activeElement.hasAttribute("data-item")')).toBe(true);
  // A key acts on what had the focus for half a second.
  await until(async () => {
    await page.keyboard.press('e');
    return page.evaluate<boolean>(`document.querySelectorAll("${open}").length === ${before - 1}`);
  }, 'the page to show it');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  for (const key of ['g', 'e']) await page.keyboard.press(key);
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('comments');
  await until(
    () => page.evaluate<boolean>('document.querySelectorAll(".rows > li").length === 1'),
    'the page to show it',
  );
});
