// Draws the page: each address, light and dark, wide and as a phone, into BELFRY_PICTURES (else a temporary folder). For people to look at.
import { mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { homeWithEverything } from '../support/made-home.ts';

const folder = process.env['BELFRY_PICTURES'] ?? mkdtempSync(join(tmpdir(), 'belfry-pictures-'));
const PLACES = ['/', '/events', '/deliveries', '/channels', '/rules', '/usage'] as const;
const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

test('pictures of each page', async () => {
  mkdirSync(folder, { recursive: true });
  const { home } = await homeWithEverything();
  const { page, origin } = await openPage(home, { viewport: WIDE });
  await page.getByText('Finished').first().waitFor();
  const draw = async (name: string): Promise<void> => {
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
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
  for (const path of PLACES) {
    await page.goto(`${origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await draw(path.slice(1) || 'now');
  }
  await page.goto(origin);
  await page.locator('.card.session a').first().click();
  await page.getByRole('heading', { name: 'Latest events' }).waitFor();
  await draw('session');
  await page.locator('.rows a').first().click();
  await page.getByRole('heading', { name: 'What was decided' }).waitFor();
  await draw('event');
});
