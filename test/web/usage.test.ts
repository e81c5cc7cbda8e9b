// Usage against the sandbox of the service: what is drawn, listed and saved are the numbers that the command line has.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { csvRecords } from '../../src/api/limits/csv-records.ts';
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { homeWithService } from '../support/service-home.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

type Row = Readonly<Record<string, unknown>>;
type Named = readonly (readonly [name: string, value: number])[];

/** The day so many days ago, UTC. */
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const FROM = ago(28);
const TO = ago(1);

/** Saves what is shown, and reads the file: header and lines. */
async function saved(
  page: Page,
): Promise<{ readonly header: readonly string[]; readonly lines: readonly (readonly string[])[] }> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const { records } = csvRecords(readFileSync(await (await download).path(), 'utf8'));
  const [header = [], ...lines] = records.map(({ cells }) => cells);
  return { header, lines };
}

const listed =
  (list: string, name: string, count: string) =>
  (row: Row): Named =>
    (row[list] as readonly Row[]).map((one) => [String(one[name]), Number(one[count])]);
/** The service leaves the address of some users empty. */
const nameAndTokens = (one: Row): readonly [string, number] => [
  String(one['user_email'] || one['user_id']),
  Number(one['billable_tokens']),
];
const own =
  (fields: Readonly<Record<string, string>>) =>
  (row: Row): Named =>
    Object.entries(fields).map(([title, field]) => [title, Number(row[field])]);

const VIEWS: readonly (readonly [show: string, title: string, command: string, numbers: (row: Row) => Named])[] = [
  ['models', 'Tokens by model', 'tokens', listed('by_model', 'model_id', 'billable_tokens')],
  ['users', 'Tokens by user', 'tokens', (row) => (row['by_user'] as readonly Row[]).map(nameAndTokens)],
  [
    ...(['activity', 'Activity by client', 'activity'] as const),
    (row) => Object.entries(row['daily_active_users_by_client'] as Record<string, number>),
  ],
  ['tools', 'Tools', 'tools', listed('by_tool', 'tool', 'invocations')],
  [
    ...(['productivity', 'Productivity', 'productivity'] as const),
    own({
      'files created': 'files_created',
      'files edited': 'files_edited',
      commits: 'git_commits',
      'pull requests': 'git_prs_created',
    }),
  ],
  [
    ...(['autonomy', 'Autonomy', 'tools'] as const),
    own({ average: 'autonomy_ratio_avg', median: 'autonomy_ratio_p50', '90 %': 'autonomy_ratio_p90' }),
  ],
];

test('figures by day: chart, table and file have the numbers of `belfry api`', async () => {
  const { home } = await homeWithService();
  const { page, complaints, origin } = await openPage(home, {}, '/usage');
  await page.getByText(/Data through yesterday, \d{4}-\d\d-\d\d/).waitFor();
  for (const [show, title, command, numbers] of VIEWS) {
    const { data } = await asked<{ data: readonly Row[] }>(home, [
      'api',
      'analytics',
      command,
      '--start-date',
      FROM,
      '--end-date',
      TO,
    ]);
    await page.goto(`${origin}/usage?from=${FROM}&to=${TO}&show=${show}`);
    await page.locator(`figure[aria-label^="${title}"] canvas`).waitFor();
    const { header, lines } = await saved(page);
    expect(lines.map(([day]) => day)).toEqual(data.map(({ date }) => date).sort());
    let compared = 0;
    for (const row of data) {
      const line = lines.find(([day]) => day === row['date']) ?? [];
      for (const [name, value] of numbers(row)) {
        expect([title, row['date'], name, Number(line[header.indexOf(name)])]).toEqual([
          title,
          row['date'],
          name,
          value,
        ]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(28);
    // The first ten, until all are asked for.
    const all = page.getByRole('button', { name: /^Show all \d+$/ });
    const columns = page.locator(`section[aria-label="${title}, as a table"] thead th`);
    expect(await columns.count()).toBe(Math.min(11, header.length));
    if (header.length > 11) await all.click();
    const shown = await page.locator(`section[aria-label="${title}, as a table"] tbody tr`).allInnerTexts();
    expect(shown.map((text) => text.split('\t'))).toEqual(
      lines.map(([day, ...cells]) => [
        day,
        ...cells.map((cell) => Number(cell).toLocaleString('en-US', { maximumFractionDigits: 2 })),
      ]),
    );
    const legend = await page.locator('.legend li').allInnerTexts();
    expect(legend.slice(0, 5)).toEqual(header.slice(1, 6));
  }
  expect(complaints).toEqual([]);
});

interface Reports {
  readonly reports: readonly {
    readonly reportId: string;
    readonly repoUrl: string;
    readonly createdAt: number;
    readonly report: Readonly<Record<string, { readonly numerator: number; readonly denominator: number }>>;
  }[];
}

test('readiness: what each report passes and what fell since the one before it', async () => {
  const { home } = await homeWithService();
  const { reports } = await asked<Reports>(home, ['api', 'readiness-reports', 'list', '--all']);
  const { page } = await openPage(home, {}, `/usage?show=readiness&from=${ago(300)}`);
  await page.locator('figure[aria-label^="Readiness"] canvas').waitFor();
  const { header, lines } = await saved(page);
  expect(lines).toHaveLength(reports.length);
  const column = (name: string): number => header.indexOf(name);
  let fallen = 0;
  for (const { repoUrl, createdAt, report } of reports) {
    const at = new Date(createdAt).toISOString();
    const line = lines.find((one) => one[0] === repoUrl && one[column('at')] === at) ?? [];
    const criteria = Object.entries(report);
    const below = criteria.filter(([, one]) => one.numerator < one.denominator).map(([name]) => name);
    expect(line.slice(3, 5).map(Number)).toEqual([criteria.length - below.length, criteria.length]);
    expect(line[column('not_passed')]).toBe(below.join('; '));
    const before = reports
      .filter((one) => one.repoUrl === repoUrl && one.createdAt < createdAt)
      .sort((a, b) => b.createdAt - a.createdAt)[0];
    const fell = criteria.flatMap(([name, { numerator, denominator }]) => {
      const was = before?.report[name];
      return was !== undefined && numerator / denominator < was.numerator / was.denominator
        ? [`${name} ${was.numerator}/${was.denominator} → ${numerator}/${denominator}`]
        : [];
    });
    expect(
      (line[column('fell')] ?? '')
        .split('; ')
        .filter((one) => one !== '')
        .sort(),
    ).toEqual(fell.sort());
    fallen += fell.length;
  }
  expect(fallen).toBeGreaterThan(10);
  const rows = page.getByRole('region', { name: 'Readiness reports' }).locator('tbody tr');
  expect(await rows.count()).toBe(reports.length);
  // The sandbox has reports of 3, 17, 31 and more days ago.
  await page.getByLabel('Through').fill(ago(16));
  await page.getByLabel('From').fill(ago(18));
  await page.waitForURL((url) => url.search.includes(`from=${ago(18)}`) && url.search.includes(`to=${ago(16)}`));
  await until(async () => (await rows.count()) === 3, 'the reports of these days');
  await page.getByLabel('From').fill(ago(15));
  await page.getByLabel('Through').fill(ago(5));
  await page.getByText('No readiness reports of these days').waitFor();
});

test('controls: each revision as the differences that the command line prints', async () => {
  const { home, sandbox } = await homeWithService();
  sandbox.changeControls({ maxAutonomyLevel: 'low', sandbox: { enabled: false } });
  const { stdout } = await belfry(home, ['api', 'enterprise-controls', 'history', '--all']);
  const [names = '', ...printed] = stdout.trimEnd().split('\n');
  const place = (name: string): number => names.split('\t').indexOf(name);
  const { page } = await openPage(home, {}, `/usage?show=controls&from=${ago(300)}`);
  await page.locator('figure[aria-label^="Controls"] canvas').waitFor();
  const { lines } = await saved(page);
  const changed = new Map<string, string[]>();
  for (const [revision = '', , , text = ''] of lines) changed.set(revision, [...(changed.get(revision) ?? []), text]);
  expect(printed.length).toBeGreaterThan(40);
  for (const line of printed) {
    const cells = line.split('\t');
    expect(changed.get(cells[place('revision')] ?? '')?.join('; ')).toBe(cells[place('changed')]);
  }
  const newest = page.getByRole('region', { name: 'Revisions of the settings' }).locator('tbody tr').first();
  expect(await newest.locator('.difference', { hasText: 'sandbox.enabled' }).locator('del').textContent()).toBe('true');
  expect(await newest.locator('.difference', { hasText: 'sandbox.enabled' }).locator('.badge').textContent()).toBe(
    'Looser',
  );
  expect(await page.content()).not.toContain('sandbox-not-a-real-key');
});

test('computers and limits: provisioning, a dry run, then the limits themselves', async () => {
  const { home } = await homeWithService();
  const { computers } = await asked<{ computers: readonly Row[] }>(home, ['api', 'computers', 'list']);
  const { page, complaints, origin } = await openPage(home, {}, '/usage?show=computers');
  const rows = page.getByRole('region', { name: 'Computers' }).locator('tbody tr');
  await rows.first().waitFor();
  const { header, lines } = await saved(page);
  expect(lines.map((line) => [line[0], line[header.indexOf('status')]])).toEqual(
    computers.map(({ name, status }) => [name, status]),
  );
  expect(await rows.filter({ hasText: 'cloud-failed' }).innerText()).toContain('package mirror did not answer');
  expect(await rows.first().locator('.provisioning li').count()).toBe(
    (computers[0]?.['provisioningSteps'] as unknown[] | undefined)?.length,
  );

  await page.goto(`${origin}/usage?show=limits`);
  const list = page.getByLabel(/^A user and the limit/);
  const bad = 'email,limit\nnobody,1\nada@example.com,much\n';
  const good = 'email,limit\nada@example.com,500\nnobody.knows@example.com,12.5\n';
  const file = join(home, 'limits.csv');
  writeFileSync(file, bad);
  const refused = (await belfry(home, ['api', 'usage-limits', 'set', '--from', file, '--dry-run'])).stderr;
  await list.fill(bad);
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.locator('.bad-words li').first().waitFor();
  for (const text of await page.locator('.bad-words li').allInnerTexts())
    expect(refused).toContain(text.replace(/^line /, `${file}:`));
  expect(await page.getByRole('button', { name: /^Set/ }).count()).toBe(0);

  writeFileSync(file, good);
  const dry = await asked<{ users: readonly Row[] }>(home, ['api', 'usage-limits', 'set', '--from', file, '--dry-run']);
  await list.fill(good);
  await page.getByRole('button', { name: 'Dry run' }).click();
  const shown = page.getByRole('region', { name: 'Limits' }).locator('tbody tr');
  await shown.first().waitFor();
  expect((await shown.allInnerTexts()).map((text) => text.split('\t'))).toEqual(
    dry.users.map(({ email, limit }) => [email, String(limit)]),
  );
  const set = await asked<{ updated: readonly Row[]; errors: readonly Row[] }>(home, [
    'api',
    'usage-limits',
    'set',
    '--from',
    file,
  ]);
  await page.getByRole('button', { name: 'Set 2 limits' }).click();
  await page.locator('.announcer p').filter({ hasText: 'set' }).waitFor();
  expect(await shown.count()).toBe(set.updated.length);
  for (const { email, error } of set.errors) await page.getByText(`${String(email)}: ${String(error)}`).waitFor();
  await list.fill(`${good}x`);
  expect(await shown.count()).toBe(0); // another list needs a dry run of its own
  expect(complaints).toEqual([]);
});

test.each(['light', 'dark'] as const)(
  'every part in %s: accessible, as narrow as a phone, by keyboard',
  async (colorScheme) => {
    const { home } = await homeWithService();
    const { page, complaints } = await openPage(home, { colorScheme }, '/usage');
    const tabs = page.getByRole('navigation', { name: 'What is shown' }).getByRole('link');
    await tabs.first().waitFor();
    const count = await tabs.count();
    expect(count).toBe(10);
    for (let i = 0; i < count; i++) {
      await tabs.nth(i).focus();
      await page.keyboard.press('Enter');
      const title = await tabs.nth(i).innerText();
      await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor({ state: 'attached' });
      await page.locator('main .skeleton').waitFor({ state: 'detached' });
      if (title !== 'Limits') await page.locator('main table tbody tr').first().waitFor();
      expect(await violations(page), title).toEqual([]);
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), title).toBeLessThanOrEqual(320);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.getByLabel(/^A user and the limit/).focus();
    await page.keyboard.type('ada@example.com,5');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter'); // the dry run
    await page.getByRole('region', { name: 'Limits' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Set 1 limit');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

test('without a service the page says what to set', async () => {
  const home = homeWith('');
  await startDaemon(home);
  const { page } = await openPage(home, {}, '/usage');
  await page.getByText('no service is configured').waitFor();
  expect(await page.locator('.tabs').count()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(0);
  for (const show of ['readiness', 'controls', 'computers']) {
    await page.goto(`${new URL(page.url()).origin}/usage?show=${show}`);
    await page.getByText('no service is configured').waitFor();
  }
});
