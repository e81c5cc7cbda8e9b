// Usage against the sandbox of the service: what is drawn, listed and saved are the numbers that the command line has.
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { openPage } from '../support/browser.ts';
import { startDaemon } from '../support/programs.ts';
import { asked, homeWith } from '../support/thread.ts';
import { violations } from '../support/axe.ts';

interface Tokens {
  readonly data: readonly {
    readonly date: string;
    readonly by_model: readonly { readonly model_id: string; readonly billable_tokens: number }[];
  }[];
}

test('tokens by model: chart, table and file have the numbers of `belfry api`', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const home = homeWith(
    `[api]\nbase_url = "${sandbox.baseUrl}"\napp_url = "${sandbox.appUrl}"\nkey = "${sandbox.apiKey}"\n`,
  );
  await startDaemon(home);
  const { data } = await asked<Tokens>(home, ['api', 'analytics', 'tokens', '--last', '28d']);
  const { page, complaints, origin } = await openPage(home, {}, '/usage');
  await page.locator('.chart canvas').waitFor();
  const rows = await page.locator('tbody tr').count();
  expect(rows).toBe(data.length);

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const file = await (await saved).path();
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const models = header.split(',').slice(1);
  const table = new Map(lines.map((line) => [line.slice(0, 10), line.split(',').slice(1).map(Number)]));
  for (const { date, by_model } of data)
    for (const { model_id, billable_tokens } of by_model)
      expect([date, model_id, table.get(date)?.[models.indexOf(model_id)]]).toEqual([date, model_id, billable_tokens]);
  const first = data.find(({ date }) => date === lines[0]?.slice(0, 10));
  const top = first?.by_model.find(({ model_id }) => model_id === models[0])?.billable_tokens ?? -1;
  expect(await page.locator('tbody tr').first().locator('td').first().textContent()).toBe(top.toLocaleString('en-US'));

  expect(await violations(page)).toEqual([]);
  for (const title of ['Tokens by user', 'Activity by client', 'Tools', 'Productivity', 'Autonomy']) {
    await page.getByRole('link', { name: title }).click();
    await page.locator(`section[aria-label="${title}, as a table"]`).waitFor();
  }
  await page.getByRole('link', { name: 'Readiness' }).click();
  await page.getByRole('region', { name: 'Readiness reports' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto(`${origin}/usage?show=tools&from=2026-02-01&to=2026-02-07`);
  await page.locator('tbody tr').nth(6).waitFor();
  expect(complaints).toEqual([]);
});

test('without a service the page says what to set', async () => {
  const home = homeWith('');
  await startDaemon(home);
  const { page } = await openPage(home, {}, '/usage');
  await page.getByText('no service is configured').waitFor();
});
