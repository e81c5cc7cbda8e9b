// Questions on the page: what the agent asks is there whole, as text; allow, deny and a reply reach the hook that waits; a second tab follows.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { permission, startWaiting, stop } from '../support/answering.ts';
import { openPage, press } from '../support/browser.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SETTINGS =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[answer]\nkinds = ["permission", "question", "finished"]\n';
const HOSTILE = 'echo "<img src=x onerror=alert(1)>" && rm -rf ./build';

/** What makes the button of this key stand out on a question's card, besides the color of its words. */
const look = (page: Page, question: string, key: 'y' | 'n'): Promise<string> =>
  page.evaluate<string>(
    `(({ backgroundColor, borderColor, fontWeight }) => [backgroundColor, borderColor, fontWeight].join())(getComputedStyle(document.querySelector('[data-question="${question}"] [data-key="${key}"]')))`,
  );

test('allow, deny with a reason, reply; two tabs', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, complaints } = await openPage(home);
  const { page: other } = await openPage(home);

  const asked = await startWaiting(home, permission('q1', HOSTILE));
  const question = page.locator(`[data-question="${asked.question.id}"]`);
  await question.waitFor();
  expect(await question.locator('pre').textContent()).toContain(HOSTILE);
  await other.locator(`[data-question="${asked.question.id}"]`).waitFor();
  // Where something is hard to undo, nothing invites to allow it.
  expect(await look(page, asked.question.id, 'y')).toBe(await look(page, asked.question.id, 'n'));
  await press(question.getByRole('button', { name: 'Allow' }));
  expect((await asked.ended).stdout).toContain('"behavior":"allow"');
  await other.locator(`[data-question="${asked.question.id}"]`).waitFor({ state: 'detached' });

  const second = await startWaiting(home, permission('q2'));
  const denied = page.locator(`[data-question="${second.question.id}"]`);
  await denied.waitFor();
  expect(await look(page, second.question.id, 'y')).not.toBe(await look(page, second.question.id, 'n'));
  await denied.getByLabel(/If you deny/).fill('use the staging database');
  await press(denied.getByRole('button', { name: 'Deny' }));
  expect((await second.ended).stdout).toContain('use the staging database');

  const third = await startWaiting(home, stop('q3'), ['--agent', 'claude', '--reply']);
  const replied = page.locator(`[data-question="${third.question.id}"]`);
  await replied.getByLabel('Your reply').fill('now write the changelog');
  await press(replied.getByRole('button', { name: 'Reply' }));
  expect((await third.ended).stderr).toContain('now write the changelog'); // where this client reads it
  expect(complaints).toEqual([]);
});

test('what hides something can be denied only, in the words of the command line', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const asked = await startWaiting(home, permission('h1', 'touch \u202egnp.txt'));
  const { page } = await openPage(home);
  const question = page.locator(`[data-question="${asked.question.id}"]`);
  await question.getByText('touch ‹U+202E›gnp.txt').waitFor();
  const words = await question.locator('.warning').innerText();
  expect(words).toContain('it has characters that cannot be seen');
  expect((await belfry(home, ['pending'])).stdout.replaceAll(/\s+/g, ' ')).toContain(words);
  expect(await question.getByRole('button', { name: 'Allow' }).count()).toBe(0);
});

/** The tab's icon, as its text; the title beside it. */
const TAB = `[document.title, decodeURIComponent(document.querySelector('link[rel="icon"]').href).replace(/<[^>]*>|^[^,]*,/g, '')]`;

test('choices with options, several and words of one\u2019s own, by keyboard; the tab counts what waits', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, complaints } = await openPage(home);
  await page.getByText('Nothing is waiting for you').waitFor();
  expect(await page.evaluate(TAB)).toEqual(['Inbox · Belfry', '']);
  const options = (...labels: readonly string[]) => labels.map((label) => ({ label, description: label }));
  const asked = await startWaiting(home, {
    ...permission('c1'),
    tool_name: 'AskUserQuestion',
    tool_input: {
      questions: [
        { question: 'Which database?', header: 'Database', options: options('Postgres', 'SQLite <b>') },
        { question: 'Which checks?', header: 'Checks', multiSelect: true, options: options('types', 'lint', 'tests') },
        { question: 'Which name?', header: 'Name', options: options('ledger', 'book') },
      ],
    },
  });
  const question = page.locator(`[data-question="${asked.question.id}"]`);
  await question.getByLabel('SQLite <b>').waitFor();
  const [title, count] = await page.evaluate<[string, string]>(TAB);
  expect(title).toBe(`(${count}) Inbox · Belfry`);
  expect(Number(count)).toBeGreaterThan(0);
  const answer = question.getByRole('button', { name: 'Answer' });
  expect(await answer.isDisabled()).toBe(true);
  expect(await violations(page)).toEqual([]);
  expect(await question.getByText('Which database?').count()).toBe(1);
  await question.getByLabel('Postgres').focus();
  await page.keyboard.press('ArrowDown');
  for (const check of ['tests', 'types']) {
    await question.getByLabel(check, { exact: true }).focus();
    await page.keyboard.press('Space');
  }
  expect(await answer.isDisabled()).toBe(true);
  await question.getByLabel('Something else: Which name?').focus();
  await page.keyboard.type('2 ledgers');
  await answer.focus();
  let isSent = false;
  page.on('request', (request) => {
    if (request.url().endsWith('/answer')) isSent = true;
  });
  // A key acts on what had the focus for half a second.
  await until(async () => {
    await page.keyboard.press('Enter');
    return isSent;
  }, 'the answer to be sent');
  const { stdout } = await asked.ended;
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: {
      decision: {
        updatedInput: {
          answers: { 'Which database?': 'SQLite <b>', 'Which checks?': 'types, tests', 'Which name?': '2 ledgers' },
        },
      },
    },
  });
  await question.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('a session\u2019s page: its question takes a reply, and says so where nothing waits any more', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  await hook(home, JSON.stringify(stop('r1')), ['--agent', 'claude']);
  const asked = await startWaiting(home, stop('r1'), ['--agent', 'claude', '--reply']);
  const { page, origin } = await openPage(home, {}, '/sessions/r1');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByLabel('Your reply').fill('now the docs');
  await press(page.getByRole('button', { name: 'Reply' }));
  expect((await asked.ended).stderr).toContain('now the docs');
  await page.goto(`${origin}/sessions/r1`);
  await page.getByLabel('What should the agent do next?').fill('and the tests');
  await page.getByRole('button', { name: 'Reply' }).click();
  await page.locator('.announcer .failed', { hasText: 'nothing was sent' }).waitFor();
});
