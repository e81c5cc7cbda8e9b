// The inbox of somebody with twelve sessions, forty cards that hold agents up or went wrong, and 250 open: whole and accessible at every width, in both
// themes, at twice the size, by touch and by keyboard alone; and whatever a channel is called is text. With BELFRY_PICTURES it is drawn there, too.
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { type OpenPage, openPage } from '../support/browser.ts';
import { startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith, spool } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** Names that a settings file may give a channel. */
const NAMES = [
  '<img src=x onerror="document.title=1">',
  '"><script>document.title=1</script>',
  'gnp.\u202etxt',
  'javascript:alert(1)',
  '{{constructor}}',
  `${'long-name-'.repeat(20)}end`,
];
const channel = (name: string, url: string): string =>
  `[channels.${JSON.stringify(name)}]\ntype = "webhook"\nurl = "${url}"\nallow_private = true\n`;
const settings = (url: string): string =>
  `${NAMES.map((name) => channel(name, url)).join('')}[[routes]]\nto = [${NAMES.map((name) => JSON.stringify(name)).join(', ')}]\n`;

const FOLDERS = [
  'payments',
  'search',
  'web',
  'infra',
  'parser',
  'billing',
  'docs',
  'a-folder-with-a-name-that-is-quite-long-for-a-folder',
];
const TEXTS = [
  'Claude needs your permission to use Bash',
  '<img src=x onerror="document.title=1">',
  'gnp.\u202etxt and \u200b what cannot be seen',
  `A line without a space: ${'x'.repeat(400)}`,
];

/** 12 sessions that wait, 28 failures, 210 finishes, the latest last. */
async function crowded(options: BrowserContextOptions): Promise<OpenPage & { readonly home: string }> {
  const home = homeWith(settings((await startReceiver()).url));
  await startDaemon(home);
  const opened = await openPage(home, options); // before the daemon has its hands full
  const now = Date.now();
  const say = (n: number, input: Record<string, unknown>): string =>
    spool(
      home,
      { session_id: `s${n}`, cwd: `/src/${FOLDERS[n % FOLDERS.length]}`, ...input },
      now - (250 - n) * 20_000,
      {
        agent: 'claude',
      },
    );
  for (let n = 0; n < 210; n++)
    say(n, { hook_event_name: 'Stop', last_assistant_message: `Done ${n}: ${TEXTS[n % TEXTS.length]}` });
  for (let n = 210; n < 238; n++)
    say(n, { hook_event_name: 'StopFailure', error: 'server_error', message: TEXTS[n % TEXTS.length] });
  for (let n = 238; n < 250; n++)
    say(n, {
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: `${TEXTS[n % TEXTS.length]} (${n})`,
    });
  await whole(opened.page);
  await opened.page.reload(); // as somebody sees it who comes to it now
  await whole(opened.page);
  return { home, ...opened };
}

async function whole(page: Page): Promise<void> {
  await until(async () => (await page.locator('.inbox-row').count()) >= 200, 'the list to be full', 60_000);
  await page.getByText(/not shown/).waitFor();
}

/** What sticks out at the right, of what is seen. */
const OUTSIDE = `[...document.querySelectorAll('body *')].filter((one) => {
  const { right, width, height } = one.getBoundingClientRect();
  return one.checkVisibility() && width > 1 && height > 1 && right > innerWidth + 1 && one.closest('.row-line, .row-summary, pre, [data-scrolls], .hidden') === null;
}).map((one) => one.outerHTML.slice(0, 200))`;

/** What can be pressed and is smaller than a thumb. */
const SMALL = `[...document.querySelectorAll('button, a.button, summary, select, textarea, input:not([type="checkbox"], [type="radio"]), .inbox-row, nav a')].filter((one) => {
  const { height, width } = one.getBoundingClientRect();
  return one.checkVisibility() && width > 1 && height > 1 && height < 44;
}).map((one) => one.outerHTML.slice(0, 160))`;

async function draw(page: Page, name: string): Promise<void> {
  const folder = process.env['BELFRY_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `crowd-${name}.png`) });
}

const WIDTHS = [360, 768, 1_280, 1_920];

test.each(['light', 'dark'] as const)('250 open in %s, at every width and at twice the size', async (colorScheme) => {
  const { page, complaints } = await crowded({ colorScheme, viewport: { width: 1_280, height: 800 } });
  // 1280 and 768 at 200 %.
  for (const width of [...WIDTHS, 640, 384]) {
    await page.setViewportSize({ width, height: width < 700 ? 740 : 900 });
    const subject = page.locator('.inbox-subject');
    if (width < 700) await page.locator('.inbox-row').first().click();
    await subject.locator('[data-subject]').waitFor();
    await draw(page, `${width}-${colorScheme}`);
    expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
    expect([width, await page.evaluate<string[]>(OUTSIDE)]).toEqual([width, []]);
    expect([width, await violations(page)]).toEqual([width, []]);
    const acknowledge = subject.getByRole('button', { name: /^Acknowledge/ });
    await acknowledge.scrollIntoViewIfNeeded();
    await expectInView(page, acknowledge);
    if (width < 700) {
      await page.goBack();
      await page.locator('.inbox-list').waitFor();
      await draw(page, `${width}-list-${colorScheme}`);
      expect([width, 'list', await page.evaluate<string[]>(OUTSIDE)]).toEqual([width, 'list', []]);
      expect([width, 'list', await violations(page)]).toEqual([width, 'list', []]);
    }
  }
  expect(complaints).toEqual([]);
});

/** Nothing lies over it. */
async function expectInView(page: Page, element: ReturnType<Page['locator']>): Promise<void> {
  await element.click({ trial: true });
  const box = await element.boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(
    true,
  );
}

test('by touch everything is as large as a thumb', async () => {
  const sized = (width: number) => ({ viewport: { width, height: 800 }, hasTouch: true, isMobile: true });
  const first = await crowded(sized(360));
  for (const width of [360, 768, 1_280]) {
    const { page, origin } = width === 360 ? first : await openPage(first.home, sized(width));
    await whole(page);
    expect([width, await page.evaluate<string[]>(SMALL)]).toEqual([width, []]);
    if (width < 700) await page.locator('.inbox-row').first().tap();
    await page.locator('[data-subject]').waitFor();
    expect([width, await page.evaluate<string[]>(SMALL)]).toEqual([width, []]);
    for (const path of ['/sessions', '/events', '/deliveries', '/channels', '/rules']) {
      await page.goto(`${origin}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      expect([width, path, await page.evaluate<string[]>(SMALL)]).toEqual([width, path, []]);
    }
    await page.context().close();
  }
});

test('by keyboard alone: few stops before the search and the buttons, and every entry in turn', async () => {
  const { page } = await crowded({ viewport: { width: 1_280, height: 800 } });
  const focused = (): Promise<string> =>
    page.evaluate<string>(
      `(({ tagName, type = '', dataset }) => dataset.row !== undefined ? 'row' : tagName + ' ' + type)(document.activeElement)`,
    );
  const stops: string[] = [];
  while (stops.length < 60 && (stops.length === 0 || stops.at(-1) !== 'BODY ')) {
    await page.keyboard.press('Tab');
    stops.push(await focused());
  }
  expect(stops.filter((stop) => stop === 'row')).toHaveLength(1); // the list is one stop
  expect(stops.findIndex((stop) => stop.startsWith('INPUT'))).toBeLessThan(15);
  expect(stops.length).toBeLessThan(40);
  // Every entry can be come to, in the order of the list.
  await page.locator('.inbox-row[tabindex="0"]').focus();
  const seen = new Set<string>();
  for (let at = 0; at < 45; at++) {
    seen.add(await page.evaluate<string>(`document.activeElement.dataset.row`));
    await page.keyboard.press('ArrowDown');
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    expect(await focused()).toBe('row');
  }
  expect(seen.size).toBe(45);
});

test('whatever a channel is called is text', async () => {
  const { page, complaints, origin } = await crowded({ viewport: { width: 1_280, height: 800 } });
  for (const [path, shown] of [
    ['/', '.subject-head'],
    ['/events', '.rows'],
    ['/deliveries', '.rows'],
    ['/channels', 'main'],
    ['/rules', '.route-form'], // what is read last there
  ] as const) {
    await page.goto(`${origin}${path}`);
    await page
      .locator(shown)
      .filter({ hasText: NAMES[0] ?? '' })
      .first()
      .waitFor();
    expect(await page.locator('main :is(script, img, iframe, [onerror], a[href^="javascript"])').count()).toBe(0);
    expect([path, await page.evaluate<string>('document.body.innerText')]).toEqual([
      path,
      expect.not.stringContaining('\u202e'),
    ]);
    expect([path, await page.title()]).toEqual([path, expect.stringContaining('Belfry')]);
    for (const width of [360, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
    }
  }
  await page.goto(`${origin}/events`);
  await page.locator('.rows a').first().click();
  await page.getByRole('heading', { name: 'Where it went' }).waitFor();
  await page
    .locator('main')
    .filter({ hasText: NAMES[0] ?? '' })
    .waitFor();
  expect(await page.locator('main :is(script, img, iframe, [onerror], a[href^="javascript"])').count()).toBe(0);
  expect(complaints).toEqual([]);
});
