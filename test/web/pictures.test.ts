// Draws the page: each address, light and dark, wide and as a phone, into BELFRY_PICTURES (else a temporary folder). For people to look at;
// docs/page-now.png and docs/page-usage.png are two of them.
import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { shownHome } from '../support/shown-home.ts';
import { until } from '../support/wait.ts';

const folder = process.env['BELFRY_PICTURES'] ?? mkdtempSync(join(tmpdir(), 'belfry-pictures-'));
const PLACES = [
  ['now', '/'],
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

test('pictures of each page', async () => {
  mkdirSync(folder, { recursive: true });
  const { home } = await shownHome();
  const { page, origin } = await openPage(home, { viewport: WIDE });
  await page.locator('[data-question]').waitFor();
  await page.getByText('Finished').first().waitFor();
  const draw = async (name: string): Promise<void> => {
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    // A card that has just moved takes no press, and looks so.
    for (const deny of await page.getByRole('button', { name: 'Deny' }).all())
      await until(() => deny.isEnabled(), 'the card to have stood still');
    if (await page.locator('figure.chart').count()) await page.locator('.chart canvas').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const path = join(folder, `${name}-${colorScheme}.png`);
      await page.screenshot({ path });
      expect(statSync(path).size).toBeGreaterThan(5_000);
    }
    await page.setViewportSize(PHONE);
    await page.screenshot({ path: join(folder, `${name}-phone.png`) });
    await page.setViewportSize(WIDE);
  };
  for (const [name, path] of PLACES) {
    await page.goto(`${origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await draw(name);
  }
  await page.goto(`${origin}/rules`);
  await page.getByLabel(/^A hook's input/).fill('{"hook_event_name":"Stop","session_id":"s1","cwd":"/src/payments"}');
  await page.getByLabel('When (optional)').fill('23:30');
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('It would go to').scrollIntoViewIfNeeded();
  await draw('rules-tried');
  await page.goto(origin);
  await page.locator('.card.session a').first().click();
  await page.getByRole('heading', { name: 'Latest events' }).waitFor();
  await draw('session');
  await page.goto(`${origin}/events?kind=session.ended`);
  await page.locator('.rows a').first().click();
  await page.getByRole('heading', { name: 'What was decided' }).waitFor();
  await draw('event');
});
