// Usage while the service is slow, fails, has nothing, and while Belfry is not running: each says so, and goes on by itself or by a button.
import { expect, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { serviceSettings } from '../support/service-home.ts';
import { homeWith } from '../support/thread.ts';

/** What the service answers where it has nothing. */
const NOTHING = JSON.stringify({ data: [], reports: [], changes: [], computers: [], meta: {} });

const PARTS = [
  ['models', 'The service has no figures of these days'],
  ['readiness', 'No readiness reports of these days'],
  ['controls', "Nobody changed the organization's settings in these days"],
  ['computers', 'No computers'],
] as const;

test('loading, failed, empty, disconnected', async () => {
  const service = await startReceiver();
  const home = homeWith(serviceSettings(service.url));
  await startDaemon(home);
  const { page, origin } = await openPage(home);
  for (const [show, empty] of PARTS) {
    let go = (): void => undefined;
    service.answer = () => (_request, response) => {
      go = () => void response.writeHead(200, { 'content-type': 'application/json' }).end(NOTHING);
    };
    const asked = service.requests.length;
    await page.goto(`${origin}/usage?show=${show}`);
    await page.locator('main .skeleton').waitFor();
    expect(await page.getByRole('status').filter({ hasText: 'Loading' }).count()).toBe(1);
    expect(await violations(page), `${show}, loading`).toEqual([]);
    await service.waitFor(asked + 1);
    go();
    await page.getByText(empty).waitFor();
    expect(await violations(page), `${show}, empty`).toEqual([]);

    service.answer = () => 500;
    await page.reload();
    const problem = page.getByRole('alert');
    await problem.waitFor();
    expect(await problem.innerText()).toMatch(/500|the service/i);
    expect(await violations(page), `${show}, failed`).toEqual([]);
    service.answer = () => ({ status: 200, body: NOTHING, headers: { 'content-type': 'application/json' } });
    await problem.getByRole('button', { name: 'Try again' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(empty).waitFor();
  }

  expect((await belfry(home, ['stop'])).code).toBe(0);
  await page.getByText('Belfry is not running').waitFor();
  expect(await violations(page), 'disconnected').toEqual([]);
  await page.getByRole('link', { name: 'Readiness' }).click();
  await page.getByText('Belfry does not answer').waitFor();
  await startDaemon(home);
  await page.getByText('No readiness reports of these days').waitFor(); // by itself
});
