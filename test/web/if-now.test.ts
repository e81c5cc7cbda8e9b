// The sentence above the inbox: what would become of something urgent, kept fresh by what changes and by the clock, without a request an event.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stop } from '../support/answering.ts';
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { hoursIn } from '../support/hours.ts';
import { visit } from '../support/interface.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const chat = (name: string, url: string): string =>
  `[channels.${name}]\ntype = "slack"\nurl = "${url}/services/x"\nallow_private = true\n`;

const line = (page: Page) => page.locator('.if-now');

const says = (page: Page, words: string | RegExp): Promise<void> => line(page).getByText(words).first().waitFor();

/** Counts its requests from now on. */
function countReads(page: Page): () => number {
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/status/if-now')) reads += 1;
  });
  return () => reads;
}

test('it follows mutes, presence and a channel that fails, and says all of it when it is opened', async () => {
  const desk = await startReceiver();
  const quiet = `[quiet]\nhours = ["${hoursIn(-1, 2)}"]\n`;
  const home = homeWith(`${chat('desk', desk.url)}[[routes]]\nto = ["desk"]\n${quiet}`);
  await startDaemon(home);
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  await says(page, 'If something urgent came now: it would go to desk at once.');
  await says(page, /Quiet hours until/);
  expect(await line(page).getAttribute('class')).toBe('if-now');
  const { height } = (await line(page).boundingBox()) ?? { height: 0 };
  await line(page).locator('summary').click();
  await says(page, /If an agent asked something now: it would reach nobody: desk has quiet hours until/);
  expect(await violations(page)).toEqual([]);
  await line(page).locator('summary').click();

  expect((await belfry(home, ['away', '2h'])).code).toBe(0);
  await says(page, /You are away until/);
  await (await visit(home)).call('mutes.add', { all: true });
  await says(page, 'it would reach nobody: desk is muted until you unmute it.');
  expect(await line(page).getAttribute('class')).toBe('if-now nobody');
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  expect((await line(page).boundingBox())?.height).toBe(height);
  expect((await belfry(home, ['unmute'])).code).toBe(0);
  await says(page, 'it would go to desk at once.');

  desk.answer = () => 403;
  await hook(home, JSON.stringify({ session_id: 'f', hook_event_name: 'SessionEnd', reason: 'error' }), [
    '--agent',
    'claude',
  ]);
  await says(page, /it would reach nobody: desk has been failing since [^;.]*\.(?! desk has)/);

  // The card of what went wrong has its commands as code, and a test of the channel.
  await page.locator('.inbox-row').getByText('Channel desk is failing').click();
  const card = page.locator('[data-subject]', { has: page.getByRole('heading', { name: 'Channel desk is failing' }) });
  expect(await card.locator('code').allInnerTexts()).toEqual(['belfry doctor', 'belfry test desk']);
  expect(await card.innerText()).not.toContain('`');
  const test = card.getByRole('button', { name: 'Send a test: desk' });
  await test.click();
  await page.locator('.announcer .failed').waitFor();
  desk.answer = () => 200;
  await test.click();
  await page.getByText('desk took the test').waitFor();
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('it is read again with the next minute, and not with each event', async () => {
  const desk = await startReceiver();
  const home = homeWith(`${chat('desk', desk.url)}[[routes]]\nto = ["desk"]\n`);
  await startDaemon(home);
  const { page } = await openPage(home);
  await says(page, 'it would go to desk at once.');
  const reads = countReads(page);
  const EVENTS = 10;
  for (let at = 0; at < EVENTS; at++) await hook(home, JSON.stringify(stop(`s${at}`)), ['--agent', 'claude']);
  await until(async () => (await page.locator('.inbox-row').count()) === EVENTS, 'all to be listed');
  expect(reads()).toBeLessThanOrEqual(1); // a minute may have begun
  const before = reads();
  await page.evaluate('{ const real = Date.now; Date.now = () => real() + 60000; } undefined');
  await until(() => reads() > before, 'the minute to be noticed');
});

test('on a phone it takes two lines, is as large as a thumb, and leaves the room to what is looked at', async () => {
  const desk = await startReceiver();
  const home = homeWith(`${chat('desk', desk.url)}[[routes]]\nto = ["desk"]\n`);
  await startDaemon(home);
  const { page } = await openPage(home, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await says(page, 'it would go to desk at once.');
  const summary = line(page).locator('summary');
  expect((await summary.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await summary.tap();
  await says(page, 'If an agent asked something now:');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  expect(await violations(page)).toEqual([]);
  await hook(home, JSON.stringify(stop('p')), ['--agent', 'claude']);
  await page.locator('.inbox-row').tap();
  await page.locator('[data-subject]').waitFor();
  expect(await line(page).isVisible()).toBe(false);
});
