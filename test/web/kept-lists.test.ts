// Lists under one's eyes: what is new moves nothing that is read, and whoever comes back finds the list where it was.
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { homeWith, spool, stop } from '../support/thread.ts';
import { until } from '../support/wait.ts';

test('new events are counted while the list is read, and back leads to where it was left', async () => {
  const home = homeWith('[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n');
  await startDaemon(home);
  const now = Date.now();
  for (let n = 0; n < 60; n++) spool(home, stop(`s${n}`, `done ${n}`), now - 600_000 + n * 5_000, { agent: 'claude' });
  const { page, origin, complaints } = await openPage(home, {}, '/events');
  await until(async () => (await page.locator('.rows > li').count()) > 20, 'the list to be drawn');
  await page.evaluate('window.scrollTo(0, 900)');
  const topOf = (): Promise<number> => row.evaluate((one) => one.getBoundingClientRect().top);
  const href = await page.evaluate<string>(
    `[...document.querySelectorAll('.rows a')].find((one) => one.getBoundingClientRect().top > 200).getAttribute('href')`,
  );
  const row = page.locator(`.rows a[href="${href}"]`);
  const before = await topOf();
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/events?')) requests += 1;
  });
  for (let n = 0; n < 3; n++) await hook(home, JSON.stringify(stop(`n${n}`)), ['--agent', 'claude']);
  await page.getByRole('button', { name: '3 new' }).waitFor();
  expect(await topOf()).toBe(before);
  expect(requests).toBe(0);

  await row.click();
  await page.getByRole('heading', { name: 'What came in' }).waitFor();
  await page.goBack();
  await row.waitFor();
  await until(async () => Math.abs((await topOf()) - before) < 2, 'the list to be where it was');
  await page.getByRole('button', { name: '3 new' }).click();
  await until(
    () =>
      page.evaluate<boolean>(`document.querySelector('.rows strong').textContent.length > 0 && window.scrollY === 0`),
    'what is new to be shown',
  );
  expect(await page.getByRole('button', { name: / new$/ }).count()).toBe(0);
  expect(new URL(page.url()).origin).toBe(origin);
  expect(complaints).toEqual([]);
});

test('a part of the page that is not there any more, as after an upgrade, says so and leaves the rest', async () => {
  const home = homeWith('');
  await startDaemon(home);
  const { page } = await openPage(home);
  await page.getByText('Nothing is waiting for you').waitFor();
  await page.route(/\/assets\/usage-/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('navigation').getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('alert').getByRole('button', { name: 'Load the page again' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
  await page.getByText('No sessions yet').waitFor();
});
