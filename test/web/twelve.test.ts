// Twelve agents that wait, cleared by somebody who sees the page for the first time: with the keyboard alone, by the hints on the screen. Keys and steps are
// counted; docs/contributing/page.md has them beside what a terminal needs.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { permission, questionsIn, type RunningHook, startWaiting } from '../support/answering.ts';
import { openPage } from '../support/browser.ts';
import { startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SETTINGS =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[answer]\nkinds = ["permission", "question"]\n';

const COMMANDS = [
  'npm run migrate -- --env staging',
  'git push origin main',
  'docker compose up -d',
  'cargo test',
  'make release',
  'rm -rf ./build',
  'terraform plan',
] as const;
const FOLDERS = ['ledger', 'search', 'infra', 'parser', 'billing', 'web', 'cluster'] as const;

/** What the twelve ask, each in a folder of its own; three of them the same. */
const ASKED: readonly Readonly<Record<string, unknown>>[] = [
  ...COMMANDS.map((command, at) => ({ cwd: `/src/${FOLDERS[at]}`, tool_input: { command } })),
  {
    cwd: '/src/shop',
    tool_name: 'Edit',
    tool_input: { file_path: '/src/shop/total.ts', old_string: 'return sum;', new_string: 'return Math.round(sum);' },
  },
  {
    cwd: '/src/cluster',
    tool_name: 'AskUserQuestion',
    tool_input: {
      questions: [
        {
          question: 'Which database?',
          header: 'Database',
          options: [
            { label: 'Postgres', description: 'As today' },
            { label: 'SQLite', description: 'One file' },
          ],
        },
      ],
    },
  },
  ...['docs', 'guides', 'site'].map((folder) => ({
    cwd: `/src/${folder}`,
    tool_input: { command: 'npm ci && npm test' },
  })),
];

/** The key that is drawn at the end of the first of these, as people see it. */
async function hintAt(page: Page, selector: string): Promise<string> {
  const drawn = await page.evaluate<string>(
    `(({ content, display }) => display === 'none' ? '' : content)(getComputedStyle(document.querySelector('${selector}'), '::after'))`,
  );
  const key = /^"(.)"/.exec(drawn)?.[1];
  if (key === undefined) throw new Error(`no key is shown at ${selector}: ${drawn}`);
  return key;
}

/** Somebody has looked at the card for as long as it takes. */
const LOOKED = `performance.now() - window.focusedAt > 520 && document.querySelector('.answers [data-key="y"]:not([aria-disabled])') !== null`;

test('twelve agents that wait are cleared with the keyboard by the hints alone', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  await page.evaluate(`addEventListener('focusin', () => { window.focusedAt = performance.now(); }, true); undefined`);
  const hooks: RunningHook[] = [];
  for (const [at, asked] of ASKED.entries())
    hooks.push(await startWaiting(home, { ...permission(`w${at}`), ...asked }));
  expect(hooks).toHaveLength(12);
  await page.locator('.inbox-row').getByText('3 alike').waitFor();

  let keys = 0;
  let steps = 0;
  const press = async (key: string): Promise<void> => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const left = async (): Promise<number> => (await questionsIn(home)).filter(({ state }) => state === 'open').length;
  const card = page.locator('article[data-subject]');
  const began = Date.now();
  // What nobody has pointed at takes no key yet, and says so.
  await press(await hintAt(page, '.answers [data-key="y"]'));
  await page.locator('.announcer').getByText('press again (nothing was sent)').waitFor();
  while ((await left()) > 0) {
    await until(() => page.evaluate<boolean>(LOOKED), 'the card to have been looked at');
    const shown = await card.getAttribute('data-subject');
    if ((await page.locator('fieldset.choices').count()) > 0) await press(await hintAt(page, '.choices .option label'));
    await press(await hintAt(page, '.answers [data-key="y"]'));
    steps += 1;
    await until(
      async () => (await card.getAttribute('data-subject')) !== shown || (await left()) === 0,
      'the next to be shown',
    );
  }
  console.log(`twelve agents: ${keys} keys, ${steps} steps, ${Math.round((Date.now() - began) / 1_000)} s`);
  for (const { ended } of hooks) expect((await ended).stdout).toMatch(/"behavior":"allow"/);
  expect((await hooks[8]?.ended)?.stdout).toContain('Postgres');
  // One for each but the three that are answered together, one to tick an option, and the first.
  expect(keys).toBeLessThanOrEqual(12);
  expect(steps).toBeLessThanOrEqual(10);
  expect(complaints).toEqual([]);
});
