// Hostile text of agents in a real browser: every string is shown as text, on lists, in time lines and in what an agent asks.
import { expect, test } from 'vitest';
import { shownText } from '../../src/web/lib/shown-text.ts';
import { HOSTILE_COUNT, hostileHome } from '../support/hostile-home.ts';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/interface.ts';
import { until } from '../support/wait.ts';

/** What no text of ours makes: elements that load, run or leave. */
const FOREIGN =
  'main script, main img, main iframe, main style, main link, main object, main embed, main svg, main marquee, main b, main i, main u, main form[action], main [onerror], main [onload], main [onclick], main a[href^="javascript"], main a[href^="data"], main a[href^="http"]:not([href^="http://127.0.0.1"])';

test(`${HOSTILE_COUNT} hostile strings are text`, async () => {
  const home = await hostileHome();
  const { call } = await visit(home);
  const events = await until(async () => {
    const found = await call('events.list', { limit: 500 });
    return found.events.length >= HOSTILE_COUNT ? found.events : null;
  }, 'all events');
  const { page, complaints, origin } = await openPage(home, {}, '/events');
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const foreign = async (where: string): Promise<void> => {
    const found = await page.evaluate<string[]>(
      `[...document.querySelectorAll(${JSON.stringify(FOREIGN)})].map((one) => one.outerHTML)`,
    );
    expect(found, where).toEqual([]);
  };
  const seen = new Map<string, string>();
  await page.locator('.rows > li').first().waitFor();
  await until(async () => {
    const rows = await page.evaluate<[string, string][]>(
      `[...document.querySelectorAll('.rows a')].map((one) => [one.getAttribute('href'), one.querySelector('strong').textContent])`,
    );
    for (const [href, title] of rows) seen.set(decodeURIComponent(href.slice('/events/'.length)), title);
    await foreign('events');
    await page.mouse.wheel(0, 900);
    return seen.size >= events.length;
  }, 'every row to have been shown');
  for (const { id, title } of events) expect(seen.get(id)).toBe(shownText(title));

  await page.goto(`${origin}/sessions`);
  await page.locator('.card.session').first().waitFor();
  await foreign('sessions');
  await page.goto(origin);
  const waiting = page.locator('.inbox-row');
  await waiting.first().waitFor();
  for (let at = 0; at < Math.min(40, await waiting.count()); at++) {
    await waiting.nth(at).click();
    await page.locator('[data-subject]').waitFor();
    await foreign(`inbox ${at}`);
  }
  const markup = events.filter(({ title, project }) => /[<&"']/.test(`${title}${project ?? ''}`)).slice(0, 25);
  for (const { id } of markup) {
    await page.goto(`${origin}/events/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { name: 'What came in' }).waitFor();
    await foreign(id);
  }
  expect(dialogs).toEqual([]);
  expect(complaints).toEqual([]);
});
