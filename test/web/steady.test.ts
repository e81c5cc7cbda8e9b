// Cards of the page keep their places, and what is pressed on one that moved does not count: in a real browser, with real hooks that wait.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { permission, questionsIn, startWaiting, stop } from '../support/answering.ts';
import { openPage, press } from '../support/browser.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SETTINGS =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[answer]\nkinds = ["permission", "question", "finished"]\n';

const ready = (button: Locator): Promise<unknown> => until(() => button.isEnabled(), 'the button to take a press');

const boxOf = async (of: Locator): Promise<{ x: number; y: number }> => {
  const box = await of.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

const stateOf = async (home: string, id: string): Promise<string | undefined> =>
  (await questionsIn(home)).find((one) => one.id === id)?.state;

/** How a card is moved, over and over and only by so much that the pointer stays on its button. */
const MOVES: Readonly<Record<string, string>> = {
  'something is inserted above and removed': `(on) => { const there = document.getElementById('moved'); if (there) return there.remove(); if (!on) return; const more = document.createElement('div'); more.id = 'moved'; more.style.height = '6px'; document.querySelector('main').prepend(more); }`,
  'something above changes its size': `(on) => { document.querySelector('.subject-head .meta').style.paddingBottom = on ? '6px' : ''; }`,
  'other letters are loaded': `(on) => { document.querySelector('.subject-head h2').style.fontSize = on ? '26px' : ''; }`,
  'the page is scrolled': `(on) => { document.body.style.minHeight = '3000px'; window.scrollTo(0, on ? 6 : 0); }`,
  'the window has another width': `(on) => { document.querySelector('main').style.paddingLeft = on ? '30px' : ''; }`,
  'something covers it': `(on) => { const there = document.getElementById('cover'); if (there) return there.remove(); if (!on) return; const cover = document.createElement('div'); cover.id = 'cover'; cover.style.cssText = 'position:fixed;inset:0;z-index:9'; document.body.append(cover); }`,
};

/** Moves it all the time, six times a second, until the page is told to stop. */
const keepMoving = (page: Page, move: string): Promise<void> =>
  page.evaluate(
    `{ const move = ${move}; let on = false; window.moves = 0; window.moving = setInterval(() => { on = !on; move(on); window.moves += 1; }, 170); window.rest = () => { clearInterval(window.moving); move(false); }; } undefined`,
  );

test.each(Object.entries(MOVES))('no click counts on a card that moves: %s', async (_, move) => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  const asked = await startWaiting(home, permission('q1'));
  const allow = page.locator(`[data-question="${asked.question.id}"]`).getByRole('button', { name: 'Allow' });
  await ready(allow);
  const at = await boxOf(allow);
  await page.mouse.move(at.x, at.y);
  await keepMoving(page, move);
  await until(() => page.evaluate<boolean>('window.moves > 0'), 'it to move');
  let clicks = 0;
  await until(
    async () => {
      await page.mouse.click(at.x, at.y);
      clicks += 1;
      return clicks >= 10 && (await page.evaluate<boolean>('window.moves > 8'));
    },
    'it to have moved',
    60_000,
  );
  expect(await stateOf(home, asked.question.id)).toBe('open');
  await page.evaluate('window.rest()');
  await press(allow);
  expect((await asked.ended).stdout).toContain('"behavior":"allow"');
});

test('a press that began before the card moved never counts, however late it ends', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page } = await openPage(home);
  const asked = await startWaiting(home, permission('q1'));
  const allow = page.locator(`[data-question="${asked.question.id}"]`).getByRole('button', { name: 'Allow' });
  await ready(allow);
  const at = await boxOf(allow);
  await page.evaluate(`window.clicks = 0; document.addEventListener('click', () => { window.clicks += 1; })`);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.evaluate(`document.querySelector('.subject-head .meta').style.paddingBottom = '6px'`);
  await until(async () => !(await allow.isEnabled()), 'the page to see that it moved');
  await ready(allow);
  await page.mouse.up();
  expect(await page.evaluate('window.clicks')).toBe(1);
  await page.getByText('It has just moved').waitFor();
  expect(await stateOf(home, asked.question.id)).toBe('open');
  await press(allow);
  expect((await asked.ended).stdout).toContain('"behavior":"allow"');
});

const rowOf = (page: Page, id: string): Locator => page.locator(`[data-row="${id}"]`);

test('a row that is settled elsewhere stays for seconds with who settled it; new ones go below', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 900 } });
  const first = await startWaiting(home, permission('q1', 'echo first'));
  const second = await startWaiting(home, permission('q2', 'echo second'));
  const row = (one: { readonly question: { readonly id: string } }): Locator => rowOf(page, one.question.id);
  await row(second).click();
  const card = page.locator(`article[data-question="${second.question.id}"]`);
  const allow = card.getByRole('button', { name: 'Allow' });
  await ready(allow);
  const [top, below, at] = [await boxOf(row(first)), await boxOf(row(second)), await boxOf(allow)];
  expect(top.y).toBeLessThan(below.y);

  // What was typed stays too, wherever somebody goes meanwhile.
  await card.getByLabel(/If you deny/).fill('not now');
  await page.mouse.move(at.x, at.y);
  const third = await startWaiting(home, permission('q3', 'echo third'));
  await row(third).waitFor();
  expect([await boxOf(row(first)), await boxOf(row(second)), await boxOf(allow)]).toEqual([top, below, at]);
  expect((await boxOf(row(third))).y).toBeGreaterThan(below.y);

  await page.mouse.move(top.x, top.y);
  expect((await belfry(home, ['answer', first.question.id, 'deny'])).code).toBe(0);
  const settled = page.locator('.inbox-row.settled');
  await settled.getByText(/command line/).waitFor();
  expect(await boxOf(row(second))).toEqual(below);
  await page.mouse.click(top.x, top.y);
  await page
    .locator('article.settled')
    .getByText(/command line/)
    .waitFor();
  await row(second).click();
  await settled.waitFor({ state: 'detached' });
  expect((await boxOf(row(second))).y).toBeLessThan(below.y);
  expect(await card.getByLabel(/If you deny/).inputValue()).toBe('not now');
  expect([await stateOf(home, second.question.id), await stateOf(home, third.question.id)]).toEqual(['open', 'open']);
  expect(complaints).toEqual([]);
});

test('nothing that is new moves a row that somebody points at: it is counted, and shown once they do not', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page } = await openPage(home, { viewport: { width: 1_280, height: 900 } });
  const first = await startWaiting(home, permission('q1', 'echo first'));
  await hook(home, JSON.stringify(stop('done')), ['--agent', 'claude']);
  const done = page.locator('.inbox-row.done');
  await done.waitFor();
  const at = await boxOf(done);
  await page.mouse.move(at.x, at.y);
  const second = await startWaiting(home, permission('q2', 'echo second'));
  await page.getByRole('button', { name: '1 new' }).waitFor();
  expect(await page.title()).toMatch(/^\(2\)/);
  expect(await boxOf(done)).toEqual(at);
  expect(await rowOf(page, second.question.id).count()).toBe(0);
  await page.mouse.move(1_000, 500);
  await rowOf(page, second.question.id).waitFor();
  expect((await boxOf(rowOf(page, second.question.id))).y).toBeGreaterThan(
    (await boxOf(rowOf(page, first.question.id))).y,
  );
});
