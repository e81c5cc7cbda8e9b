// Draws the page: each address, light and dark, wide and as a phone, into BELFRY_PICTURES (else a temporary folder). For people to look at;
// docs/pictures/page-inbox.png is inbox-1-light.png, docs/pictures/page-usage.png is usage-light.png.
import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitAsHook } from '../support/answering.ts';
import { openPage } from '../support/browser.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { shownHome } from '../support/shown-home.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const folder = process.env['BELFRY_PICTURES'] ?? mkdtempSync(join(tmpdir(), 'belfry-pictures-'));
const PLACES = [
  ['inbox', '/'],
  ['sessions', '/sessions'],
  ['events', '/events'],
  ['deliveries', '/deliveries'],
  ['channels', '/channels'],
  ['rules', '/rules'],
  ['usage', '/usage'],
  ['usage-tools', '/usage?show=tools'],
  ['usage-readiness', '/usage?show=readiness'],
  ['usage-controls', '/usage?show=controls'],
  ['usage-computers', '/usage?show=computers'],
  ['usage-limits', '/usage?show=limits'],
] as const;
const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

/** Draws what this page shows, in both themes and as a phone has it. */
async function painter(page: Page) {
  mkdirSync(folder, { recursive: true });
  const devtools = await page.context().newCDPSession(page);
  // A phone has no keys: what it shows goes by how it is pressed, not by its width alone.
  const touch = (enabled: boolean): Promise<unknown> =>
    devtools.send('Emulation.setTouchEmulationEnabled', { enabled });
  const drawn = (): Promise<unknown> =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const draw = async (name: string, size: typeof WIDE = WIDE): Promise<void> => {
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    // A card that has just moved takes no press, and looks so.
    for (const deny of await page.locator('.subject .danger').all())
      await until(() => deny.isEnabled(), 'the card to have stood still');
    if (await page.locator('figure.chart').count()) await page.locator('.chart canvas').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Charts are drawn again in the other colors.
      await drawn();
      const path = join(folder, `${name}-${colorScheme}.png`);
      await page.screenshot({ path });
      expect(statSync(path).size).toBeGreaterThan(5_000);
    }
    await touch(true);
    await page.setViewportSize(PHONE);
    await drawn();
    expect(await page.evaluate('matchMedia("(pointer: coarse)").matches')).toBe(true);
    await page.screenshot({ path: join(folder, `${name}-phone.png`) });
    await page.setViewportSize(size);
    await touch(size === PHONE);
  };
  return { draw, touch };
}

test('pictures of each page', async () => {
  const { home } = await shownHome();
  const { page, origin } = await openPage(home, { viewport: WIDE });
  await page.locator('.inbox-row.done').nth(2).waitFor();
  await until(async () => (await page.locator('.inbox-row.blocking').count()) >= 6, 'all that is asked to be listed');
  const { draw, touch } = await painter(page);
  for (const [name, path] of PLACES) {
    await page.goto(`${origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await draw(name);
  }
  await page.goto(origin);
  const rows = page.locator('.inbox-row');
  await rows.first().waitFor();
  // By its address, so that a phone shows the subject, and not the list.
  const subjects = await rows.evaluateAll((all) =>
    all.map((row) => [row.getAttribute('data-row') ?? '', row.getAttribute('href') ?? ''] as const),
  );
  for (const [at, [key, href]] of subjects.entries()) {
    await page.goto(`${origin}${href}`);
    await page.locator(`[data-subject="${key}"]`).waitFor();
    await draw(`inbox-${at}`);
  }
  await page.goto(origin);
  await rows.first().click();
  await page.locator('.if-now summary').click();
  await page.locator('.inbox-subject .fold summary').click();
  await page
    .locator('.why-list')
    .getByText(/got it/)
    .first()
    .waitFor();
  await draw('inbox-opened');
  await page.locator('.if-now summary').click();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await rows.first().click();
  await draw('inbox-large', { width: 1920, height: 1080 });
  await page.setViewportSize({ width: 768, height: 1024 });
  await draw('inbox-tablet', { width: 768, height: 1024 });
  await page.setViewportSize(PHONE);
  await touch(true);
  await page.goto(origin);
  await rows.first().waitFor();
  await draw('inbox-phone-list', PHONE);
  await page.locator('.inbox-row.blocking').nth(1).click();
  await page.locator('.subject .danger').first().waitFor();
  await draw('inbox-phone-question', PHONE);
  await page.setViewportSize(WIDE);
  await touch(false);
  await page.goto(`${origin}/rules`);
  await page.getByLabel(/^A hook's input/).fill('{"hook_event_name":"Stop","session_id":"s1","cwd":"/src/payments"}');
  await page.getByLabel('When (optional)').fill('23:30');
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('It would go to').scrollIntoViewIfNeeded();
  await draw('rules-tried');
  const editor = page.getByRole('region', { name: 'Change the rules' });
  await editor.getByLabel('Change').selectOption({ index: 2 });
  await editor.getByRole('group', { name: 'Send to' }).getByLabel('desk').uncheck();
  await editor.locator('.verdict').waitFor();
  await editor.getByLabel('Change').scrollIntoViewIfNeeded();
  await draw('rules-changed');
  await editor.locator('.rule-changes li').first().scrollIntoViewIfNeeded();
  await draw('rules-preview');
  await page.goto(`${origin}/sessions`);
  await page.locator('.card.session a').first().click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await draw('session');
  await page.locator('.timeline li').last().scrollIntoViewIfNeeded();
  await draw('session-timeline');
  await page.goto(`${origin}/events?kind=session.ended`);
  await page.locator('.rows a').first().click();
  await page.getByRole('heading', { name: 'Why', exact: true }).waitFor();
  await draw('event');
});

const BAD_REMOTE = '[remotes.build-box]\nrun = ["false"]\n';
const RESUMES =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[resume]\non = ["overloaded", "limit"]\n';

test('pictures of a first start, of what has stopped, and of a lost connection', async () => {
  const home = homeWith(`${RESUMES}${BAD_REMOTE}`);
  await startDaemon(home);
  const { page, origin } = await openPage(home, { viewport: WIDE });
  const { draw } = await painter(page);
  for (const [name, path] of PLACES.slice(0, 7)) {
    await page.goto(`${origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await draw(`first-${name}`);
  }
  for (const path of ['/nowhere', '/events/nothing', '/sessions/nothing', '/?item=nothing', '/events?q=nothing']) {
    await page.goto(`${origin}${path}`);
    await draw(`missing-${path.replaceAll(/\W/g, '')}`);
  }
  const at = new Date(Date.now() + 2 * 3_600_000).toLocaleTimeString('en-US', { hour: 'numeric', timeZone: 'UTC' });
  const stops = [
    ['shop', 'overloaded', 'API Error: 529 Overloaded'],
    ['mail', 'rate_limit', `You've hit your session limit · resets ${at} (UTC)`],
  ] as const;
  const give = (input: object) => hook(home, JSON.stringify(input), ['--agent', 'claude']);
  for (const [name, error, said] of stops) {
    const session = { session_id: name, cwd: `/src/${name}` };
    const stopped = { ...session, hook_event_name: 'StopFailure', error, last_assistant_message: said };
    await give({ ...session, hook_event_name: 'UserPromptSubmit', prompt: 'Mend the cart' });
    await give(stopped);
    if (error === 'overloaded') await waitAsHook(home, stopped);
  }
  await page.goto(origin);
  const rows = page.locator('.inbox-row');
  await until(async () => (await rows.count()) >= 2, 'both to be listed');
  for (let row = 0; row < (await rows.count()); row++) {
    await page.goto(`${origin}${await rows.nth(row).getAttribute('href')}`);
    await page.locator('[data-subject]').waitFor();
    await draw(`stopped-${row}`);
    await page.goto(origin);
    await rows.nth(row).waitFor();
  }
  await page.goto(`${origin}/sessions`);
  await page.locator('.card.session').nth(1).waitFor();
  await draw('stopped-sessions');
  await page.goto(origin);
  await rows.first().waitFor();
  await belfry(home, ['stop']);
  await page.getByText('Belfry is not running').waitFor();
  await draw('lost');
  await page.getByRole('link', { name: 'Channels' }).click();
  await page.getByText('Belfry does not answer').waitFor();
  await draw('lost-channels');
  await page.evaluate('sessionStorage.clear()');
  await startDaemon(home);
  await page.goto(origin);
  await page.getByRole('heading', { name: 'Open the page again' }).waitFor();
  await draw('out');
});
