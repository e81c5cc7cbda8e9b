// What could make somebody allow on the page what they did not mean to, or let another page do it. In a real Chromium, so of the slow
// tests: `npx vitest run --config .ci/vitest.slow.config.ts test/hostile/page.test.ts` after a build.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { permission, questionsIn, startWaiting } from '../support/answering.ts';
import { type OpenPage, openPage, openWindow, press } from '../support/browser.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SETTINGS =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[answer]\nkinds = ["permission", "question", "finished"]\n';
const VIEWPORT = { width: 1_280, height: 800 };

type Asked = Awaited<ReturnType<typeof startWaiting>>;

type Row = Readonly<Record<string, unknown>>;

/** What the interface lists. */
interface Listed {
  readonly notifications: readonly { readonly questions: readonly Row[] }[];
  readonly questions: readonly Row[];
}

interface Shown extends OpenPage {
  readonly home: string;
  readonly asked: Asked;
  readonly card: Locator;
  readonly allow: Locator;
}

const cardOf = (page: Page, { question: { id } }: Asked): Locator => page.locator(`article[data-question="${id}"]`);

const rowOf = (page: Page, { question: { id } }: Asked): Locator => page.locator(`[data-row="${id}"]`);

/** A page with one question on it that has stood still. */
async function shown(input: Record<string, unknown> = permission('q1')): Promise<Shown> {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const opened = await openPage(home, { viewport: VIEWPORT });
  const asked = await startWaiting(home, input);
  const card = cardOf(opened.page, asked);
  await until(() => card.getByRole('button', { name: 'Deny' }).isEnabled(), 'the card to have stood still');
  return { ...opened, home, asked, card, allow: card.getByRole('button', { name: /^(Allow|Answer)$/ }) };
}

async function middleOf(of: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await of.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function expectOpen(home: string, { question: { id } }: Asked): Promise<void> {
  expect((await questionsIn(home)).find((one) => one.id === id)?.state).toBe('open');
}

test('a click for a question that was just answered elsewhere finds no other question in its place', async () => {
  const { page, home, asked, allow } = await shown(permission('q1', 'echo first'));
  const at = await middleOf(allow);
  const second = await startWaiting(home, permission('q2', 'rm -rf ~/'));
  await rowOf(page, second).waitFor();
  const before = await middleOf(rowOf(page, second));
  expect((await belfry(home, ['answer', asked.question.id, 'deny'])).code).toBe(0);
  await page.locator('article.settled').waitFor();
  await page.mouse.click(at.x, at.y);
  expect(await middleOf(rowOf(page, second))).toEqual(before);
  expect(await cardOf(page, second).count()).toBe(0);
  await expectOpen(home, second);
});

test('a card that is shifted again and again takes no click', async () => {
  const { page, home, asked, allow } = await shown();
  const at = await middleOf(allow);
  await page.mouse.move(at.x, at.y);
  await page.evaluate(
    `{ window.moves = 0; const above = document.querySelector('.subject-head .meta'); setInterval(() => { window.moves += 1; above.style.paddingBottom = window.moves % 2 ? '6px' : ''; }, 170); } undefined`,
  );
  await until(async () => {
    if (await page.evaluate<boolean>('window.moves > 0')) await page.mouse.click(at.x, at.y);
    return page.evaluate<boolean>('window.moves > 8');
  }, 'it to have been shifted often');
  await expectOpen(home, asked);
});

test('clicks at a place where a question appears count only half a second after it did', async () => {
  const { page, home, asked, allow } = await shown();
  const at = await middleOf(allow);
  await press(allow);
  await asked.ended;
  await page.locator('[data-question]').waitFor({ state: 'detached' });
  await page.evaluate(
    `new MutationObserver(() => { if (document.querySelector('[data-question]')) window.appeared ??= performance.now(); }).observe(document.body, { childList: true, subtree: true });
     performance.clearResourceTimings(); undefined`,
  );
  await page.mouse.move(at.x, at.y);
  const next = startWaiting(home, permission('q2', 'touch other.txt')); // as tall as the one before
  const answered = await until(async () => {
    await page.mouse.click(at.x, at.y);
    return page.evaluate<number | null>(
      `performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/answer'))?.startTime ?? null`,
    );
  }, 'a click to count at last');
  expect(answered - (await page.evaluate<number>('window.appeared'))).toBeGreaterThanOrEqual(500);
  await (await next).ended;
});

test('a press that began before the card moved allows nothing when it ends', async () => {
  const { page, home, asked, card, allow } = await shown();
  const at = await middleOf(allow);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.evaluate(`document.querySelector('.subject-head .meta').style.paddingBottom = '6px'`);
  await until(async () => !(await allow.isEnabled()), 'the page to see that it moved');
  await until(() => card.getByRole('button', { name: 'Deny' }).isEnabled(), 'the card to have stood still');
  await page.evaluate(`window.clicks = 0; document.addEventListener('click', () => { window.clicks += 1; })`);
  await page.mouse.up();
  await page.locator('.announcer p').waitFor();
  expect(await page.evaluate('window.clicks')).toBe(1);
  await expectOpen(home, asked);
});

test('a key that is held while the focus comes to Allow allows nothing', async () => {
  const { page, home, asked, allow } = await shown();
  await page.keyboard.down('Enter');
  await allow.focus();
  await page.evaluate('window.end = performance.now() + 1500');
  await until(async () => {
    await page.keyboard.down('Enter');
    return page.evaluate<boolean>('performance.now() > window.end');
  }, 'the key to have been held for a while');
  await page.keyboard.up('Enter');
  await expectOpen(home, asked);
});

test('a key at the moment that the focus comes to Allow allows nothing', async () => {
  const { page, home, asked } = await shown();
  await page.evaluate(
    `{ const allow = document.querySelector('[data-question] .answers button[data-key="y"]'); allow.focus(); allow.click(); }`,
  );
  await page.locator('.announcer p').waitFor();
  await expectOpen(home, asked);
});

const TAIL = `ls\n${Array.from({ length: 60 }, (_, n) => `echo ${n}`).join('\n')}\nrm -rf ~/`;

test('a command whose end is out of sight is allowed by no click', async () => {
  const { page, home, asked, allow } = await shown(permission('q1', TAIL));
  const at = await middleOf(allow);
  for (let click = 0; click < 3; click++) await page.mouse.click(at.x, at.y);
  await page.locator('.announcer p').waitFor();
  await expectOpen(home, asked);
});

test('a command whose end is out of sight is answered by no key', async () => {
  const { page, home, asked, card } = await shown(permission('q1', TAIL));
  await card.getByRole('button', { name: 'Deny' }).focus();
  await page.evaluate('window.end = performance.now() + 1000');
  await until(() => page.evaluate<boolean>('performance.now() > window.end'), 'it to have had the focus');
  await page.keyboard.press('Enter');
  await page.locator('.announcer p').waitFor();
  await expectOpen(home, asked);
});

test('markup in each field of what an agent asks is text, and runs nothing', async () => {
  const evil = (name: string): string =>
    `${name} <img src=x onerror="window.${name} = 1"><script>window.${name} = 1</script>`;
  const options = ['one', 'two'].map((name) => ({ label: evil(name), description: evil(`${name}Described`) }));
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page } = await openPage(home, { viewport: VIEWPORT });
  const choice = await startWaiting(home, {
    ...permission('c1'),
    cwd: `/tmp/${evil('folder')}`,
    tool_name: 'AskUserQuestion',
    tool_input: { questions: [{ question: evil('question'), header: evil('header'), options }] },
  });
  const tool = await startWaiting(home, { ...permission('p1', evil('command')), tool_name: evil('tool') });
  const shell = await startWaiting(home, permission('p2', evil('shell')));
  let text = '';
  for (const asked of [choice, tool, shell]) {
    await rowOf(page, asked).click();
    await cardOf(page, asked).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    text += await page.locator('main').textContent();
  }
  for (const name of ['question', 'one', 'two', 'command', 'shell']) expect(text).toContain(`${name} <img src=x`);
  expect(await page.locator('main img, main script').count()).toBe(0);
  for (const name of ['folder', 'question', 'header', 'one', 'oneDescribed', 'command', 'tool', 'shell'])
    expect(await page.evaluate(`window.${name}`), name).toBeUndefined();
});

/** A page of somebody else's, of another origin. */
async function otherPage(): Promise<Page> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Another page</title><body>Another page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { page } = await openWindow();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return page;
}

test('another page cannot lay the page in a frame under its own', async () => {
  const { origin } = await shown();
  const page = await otherPage();
  const answered = page.waitForResponse(`${origin}/`);
  await page.evaluate(
    `new Promise((done) => { const frame = document.createElement('iframe'); frame.src = ${JSON.stringify(`${origin}/`)}; frame.onload = done; document.body.append(frame); })`,
  );
  expect((await answered).status()).toBe(403); // nothing of the page even comes; its policy is the second bar
  const [, frame] = page.frames();
  expect(frame?.url()).not.toContain(origin);
  expect(await frame?.locator('#app').count()).toBe(0);
});

test('another page that opens the page in a window keeps no hold of it, and can tell it nothing', async () => {
  const { origin, home, asked } = await shown();
  const page = await otherPage();
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`window.other = window.open(${JSON.stringify(`${origin}/`)}); undefined`),
  ]);
  await opened.locator('#app').waitFor({ state: 'attached' });
  await until(() => page.evaluate<boolean>('window.other.closed'), 'the window to be out of reach', 20_000);
  await page.evaluate(`window.other.postMessage({ type: 'answer', answer: { type: 'allow' } }, '*')`);
  await expectOpen(home, asked);
});

test('a tab that shows something older than what is asked allows nothing, and shows what is asked now', async () => {
  const { page, home, asked, card, allow } = await shown(permission('q1', 'rm -rf ~/'));
  // A tab that has not heard of the change: until it answers, it is told what was asked before, and nothing by the stream.
  let isOld = true;
  page.on('request', (request) => {
    if (request.url().endsWith('/answer')) isOld = false;
  });
  const older = (question: Row): Row => ({ ...question, seen: 'x'.repeat(22), subject: { text: 'echo harmless' } });
  await page.route(/\/stream/, (route) => (isOld ? route.abort() : route.continue()));
  await page.route(/\/notifications\?/, async (route) => {
    const response = await route.fetch();
    const { notifications, questions, ...rest } = (await response.json()) as Listed;
    const change = (rows: readonly Row[]): readonly Row[] => (isOld ? rows.map(older) : rows);
    const listed = notifications.map((one) => ({ ...one, questions: change(one.questions) }));
    await route.fulfill({ response, json: { ...rest, notifications: listed, questions: change(questions) } });
  });
  await page.reload();
  await card.getByText('echo harmless').waitFor();
  await until(() => allow.isEnabled(), 'the card to have stood still');
  await press(allow);
  await page
    .locator('.announcer')
    .getByText(/not what it asks now/)
    .waitFor();
  await card.getByText(/What it asks has changed since you looked/).waitFor();
  expect(await card.locator('pre').textContent()).toContain('rm -rf ~/');
  await expectOpen(home, asked);
});
