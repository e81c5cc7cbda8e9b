// What an agent asks is seen whole before it can be allowed from the page, and keys act only on what was read.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { permission, questionsIn, startWaiting } from '../support/answering.ts';
import { violations } from '../support/axe.ts';
import { openPage, press } from '../support/browser.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { homeWith, spool, stop } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SETTINGS =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[answer]\nkinds = ["permission", "question", "finished"]\n';
/** Ends in what matters. */
const LONG = `ls\n${Array.from({ length: 60 }, (_, n) => `echo step ${n}`).join('\n')}\nrm -rf ~/`;

const stateOf = async (home: string, id: string): Promise<string | undefined> =>
  (await questionsIn(home)).find((one) => one.id === id)?.state;

const cardOf = (page: Page, id: string): Locator => page.locator(`article[data-question="${id}"]`);

test('a text that does not fit is cut with how much is left, and is allowed only once its end was seen', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  const asked = await startWaiting(home, permission('q1', LONG));
  const card = cardOf(page, asked.question.id);
  const allow = card.getByRole('button', { name: 'Allow' });
  const more = card.getByRole('button', { name: /^\d+ more lines$/ });
  await more.waitFor();
  expect(Number.parseInt((await more.textContent()) ?? '', 10)).toBeGreaterThan(40);
  await until(() => card.getByRole('button', { name: 'Deny' }).isEnabled(), 'the card to have stood still');
  expect(await allow.getAttribute('aria-disabled')).toBe('true');
  // In words, for those who see the page and those who hear it.
  const why = await allow.evaluate((button) => {
    const id = button.getAttribute('aria-describedby') ?? '';
    return button.ownerDocument.getElementById(id)?.textContent ?? '';
  });
  expect(why).toMatch(/see the end/);
  expect(await violations(page)).toEqual([]);
  await allow.click({ force: true });
  await page
    .locator('.announcer')
    .getByText(/see the end/)
    .waitFor();
  await allow.focus();
  await page.keyboard.press('Enter');
  expect(await stateOf(home, asked.question.id)).toBe('open');

  await more.click();
  await more.waitFor({ state: 'detached' });
  await until(() => card.getByRole('button', { name: 'Deny' }).isEnabled(), 'the card to have stood still');
  expect(await allow.getAttribute('aria-disabled')).toBe('true'); // its end is below the window
  // As a person reads: down to the end, where it stands still.
  await until(async () => {
    await page.mouse.wheel(0, 200);
    return allow.isEnabled();
  }, 'the end to have been seen');
  await press(allow);
  expect((await asked.ended).stdout).toContain('"behavior":"allow"');
  expect(complaints).toEqual([]);
});

test('a key acts on a card that was focused for half a second, never when it is held, and not in a field', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  const asked = await startWaiting(home, permission('q1'));
  const card = cardOf(page, asked.question.id);
  const deny = card.getByRole('button', { name: 'Deny' });
  await until(() => deny.isEnabled(), 'the card to have stood still');
  // Focused at the press: in one task of the page, so that no time can pass.
  await page.evaluate(
    `document.querySelector('[data-question] .answers button.danger').focus(); document.activeElement.click()`,
  );
  await page
    .locator('.announcer')
    .getByText(/half a second/)
    .waitFor();
  expect(await stateOf(home, asked.question.id)).toBe('open');

  // A key that is held since before the focus came.
  await page.evaluate(
    `document.activeElement.blur(); window.pressed = []; document.addEventListener('keydown', (event) => window.pressed.push(event.repeat))`,
  );
  await page.keyboard.down('Enter');
  await deny.focus();
  await until(async () => {
    await page.keyboard.down('Enter');
    return page.evaluate<boolean>('performance.now() > (window.end ??= performance.now() + 900)');
  }, 'the key to have been held for a while');
  await page.keyboard.up('Enter');
  expect(await page.evaluate('window.pressed.slice(1).every((repeats) => repeats)')).toBe(true);
  expect(await stateOf(home, asked.question.id)).toBe('open');
  await page.keyboard.press('Enter');
  expect((await asked.ended).stdout).toContain('"behavior":"deny"');

  // No letter is a key of a card that nobody is at, nor of a field.
  const options = ['Postgres', 'SQLite'].map((label) => ({ label, description: `with ${label}` }));
  const question = { question: 'Which database?', header: 'Database', options };
  const choice = await startWaiting(home, {
    ...permission('c1'),
    tool_name: 'AskUserQuestion',
    tool_input: { questions: [question] },
  });
  const radio = cardOf(page, choice.question.id).getByLabel('Postgres');
  await radio.waitFor();
  const open = await page.locator('.inbox-row:not(.settled)').count();
  await page.evaluate('document.activeElement.blur()');
  for (const key of ['e', 'n']) await page.keyboard.press(key);
  await radio.focus();
  for (const key of ['e', 'n', 'g', 's', '2', '5']) await page.keyboard.press(key);
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await radio.isChecked()).toBe(false);
  await hook(home, JSON.stringify(stop('later')), ['--agent', 'claude']);
  await page.locator('.inbox-row', { hasText: 'finished' }).waitFor();
  expect(await page.locator('.inbox-row:not(.settled)').count()).toBe(open + 1);
});

test('more finishes than a list holds hide no prompt, and are acknowledged at once', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const now = Date.now();
  spool(
    home,
    {
      ...permission('blocked'),
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: 'Claude needs your permission',
    },
    now - 7_000_000,
    { agent: 'claude' },
  );
  for (let n = 0; n < 260; n++)
    spool(home, stop(`s${n}`, `done ${n}`), now - 6_000_000 + n * 20_000, { agent: 'claude' });
  const { page } = await openPage(home);
  const rows = page.locator('.inbox-row');
  await until(async () => (await rows.count()) === 200, 'the list to be full', 60_000);
  await page.getByText(/not shown/).waitFor();
  expect(await rows.first().textContent()).toContain('permission');
  expect(await page.title()).toMatch(/^\(1\)/); // of 261 one holds an agent up
  await page.getByRole('button', { name: 'Acknowledge all' }).click();
  await until(async () => (await rows.count()) === 1, 'the finishes to be gone', 60_000);
  await page.getByText(/not shown/).waitFor({ state: 'detached' });
});
