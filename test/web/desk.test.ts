// The inbox of somebody with many agents, in a real browser: by keyboard alone, alike at once, and on a phone.
import { expect, test } from 'vitest';
import { permission, startWaiting, stop } from '../support/answering.ts';
import { violations } from '../support/axe.ts';
import { openPage, press, pressKey } from '../support/browser.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SETTINGS =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[answer]\nkinds = ["permission", "question", "finished"]\n';

const behaviour = ({ stdout }: { readonly stdout: string }): string => /"behavior":"(\w+)"/.exec(stdout)?.[1] ?? '';

test('agents that wait are answered by keyboard alone, each with its own text before the eyes; the focus is never lost', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  const options = ['Postgres', 'SQLite'].map((label) => ({ label, description: `with ${label}` }));
  const asked = [
    await startWaiting(home, permission('k1', 'echo one')),
    await startWaiting(home, permission('k2', 'echo two')),
    await startWaiting(home, {
      ...permission('k3'),
      tool_name: 'AskUserQuestion',
      tool_input: { questions: [{ question: 'Which database?', header: 'Database', options }] },
    }),
  ];
  await page.locator('.inbox-row').nth(2).waitFor();
  const [one, two, three] = asked.map(({ question }) => question.id);
  const isOn = (id = ''): Promise<boolean> =>
    page.evaluate<boolean>(`document.activeElement.closest('[data-row="${id}"]') !== null`);
  await page.keyboard.press('ArrowDown');
  expect(await isOn(one)).toBe(true);
  await pressKey(page, 'y');
  await until(() => isOn(two), 'the second');
  expect(behaviour((await asked[0]?.ended) ?? { stdout: '' })).toBe('allow');
  await pressKey(page, 'n');
  await until(() => isOn(three), 'the third');
  expect(behaviour((await asked[1]?.ended) ?? { stdout: '' })).toBe('deny');
  await page.keyboard.press('2');
  await until(() => page.getByLabel('SQLite').isChecked(), 'the option to be ticked');
  expect(await violations(page)).toEqual([]);
  await pressKey(page, 'y');
  expect((await asked[2]?.ended)?.stdout).toContain('SQLite');
  expect(await page.evaluate('document.activeElement === document.body')).toBe(false);
  expect(complaints).toEqual([]);
});

test('sessions that ask for the same are one card with a line each: one by one, then the rest together', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  const folders = ['/src/payments', '/src/search', '/src/web'];
  const asked = [];
  for (const [at, cwd] of folders.entries())
    asked.push(await startWaiting(home, { ...permission(`a${at}`, 'npm ci && npm test'), cwd }));
  await page.locator('.inbox-row').getByText('3 alike').waitFor();
  expect(await page.locator('.inbox-row').count()).toBe(1);
  expect(await page.title()).toMatch(/^\(3\)/);
  expect(await page.locator('.inbox-group.blocking .count').innerText()).toBe('3');
  expect(await page.locator('.subject-head .meta').first().innerText()).toMatch(/^payments, search, web/);
  for (const cwd of folders) await page.locator('.like').getByText(cwd).waitFor();
  expect(await violations(page)).toEqual([]);
  await press(page.getByRole('button', { name: 'Deny: search' }));
  expect(behaviour((await asked[1]?.ended) ?? { stdout: '' })).toBe('deny');
  await page.locator('.like li').nth(1).getByText('Denied by you').waitFor();
  await press(page.getByRole('button', { name: 'Allow all 2' }));
  for (const at of [0, 2]) expect(behaviour((await asked[at]?.ended) ?? { stdout: '' })).toBe('allow');
  expect(complaints).toEqual([]);
});

test('a session that asks for something else than others is a row of its own', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  await startWaiting(home, permission('l1', 'npm test'));
  await startWaiting(home, permission('l2', 'npm test'));
  await page.locator('.inbox-row').getByText('2 alike').waitFor();
  await startWaiting(home, permission('l3', 'npm test -- --all'));
  await until(async () => (await page.locator('.inbox-row').count()) === 2, 'a row of its own');
});

test('on a phone the list and its subject come one after the other; buttons are as large as a thumb', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, origin, complaints } = await openPage(home, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const first = await startWaiting(home, permission('p1', 'echo one'));
  const second = await startWaiting(home, permission('p2', 'rm -rf ./build'));
  const list = page.locator('.inbox-list');
  await page.locator(`[data-row="${second.question.id}"]`).waitFor();
  expect(await page.locator('.inbox-subject').isVisible()).toBe(false);
  await page.locator(`[data-row="${first.question.id}"]`).tap();
  await page.locator(`article[data-question="${first.question.id}"]`).waitFor();
  expect(await list.isVisible()).toBe(false);
  for (const button of await page.locator('.subject button, .subject a.button').all())
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  await press(page.getByRole('button', { name: 'Allow' }));
  expect(behaviour(await first.ended)).toBe('allow');
  await page.locator(`article[data-question="${second.question.id}"]`).getByText('deletes files and folders').waitFor();
  await page.goBack();
  await list.waitFor();
  await page.goto(`${origin}/?item=${second.question.id}`);
  await page.locator(`article[data-question="${second.question.id}"]`).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a new question is said to screen readers, and a mute can be undone', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  await page.getByText('Nothing is waiting for you').waitFor();
  await hook(home, JSON.stringify(stop('m1')), ['--agent', 'claude']);
  await page.locator('.inbox-row.done').waitFor();
  await page.keyboard.press('ArrowDown');
  await pressKey(page, 'h');
  await page.locator('.subject').getByText('Muted until').waitFor();
  await page.keyboard.press('z');
  await page.locator('.announcer').getByText('The mute is ended').waitFor();
  await page.getByText('Muted until').first().waitFor({ state: 'detached' });
  await startWaiting(home, { ...permission('m2', 'echo now'), cwd: '/src/payments' });
  await until(
    () => page.evaluate<boolean>(`document.querySelector('[data-news]').textContent.includes('payments')`),
    'it to be said',
  );
});
