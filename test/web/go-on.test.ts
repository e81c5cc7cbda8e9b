// Sessions that have stopped, on the page: when Belfry continues one, that it does not, and that it goes on, each without a reload.
import { expect, test } from 'vitest';
import { waitAsHook } from '../support/answering.ts';
import { violations } from '../support/axe.ts';
import { openPage, press } from '../support/browser.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';

const SETTINGS =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[resume]\non = ["overloaded"]\n';

const prompt = { session_id: 'shop', cwd: '/src/shop', hook_event_name: 'UserPromptSubmit', prompt: 'Mend the cart' };
const overload = {
  session_id: 'shop',
  cwd: '/src/shop',
  hook_event_name: 'StopFailure',
  error: 'overloaded',
  last_assistant_message: 'API Error: 529 Overloaded',
};

test('one that Belfry is to continue says so, is kept from it, and goes on when somebody says so', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const give = (input: object) => hook(home, JSON.stringify(input), ['--agent', 'claude']);
  const { page, origin, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  await give(prompt);
  await give(overload);
  const waiting = await waitAsHook(home, overload);
  await page.locator('.inbox-row.blocking', { hasText: 'shop' }).click();
  const subject = page.locator('[data-subject]');
  await subject.getByText(/^Belfry continues it in [12] min$/).waitFor();
  expect(await violations(page)).toEqual([]);
  // Its session says the same, in the lists of both.
  const board = await page.context().newPage();
  await board.goto(`${origin}/sessions`);
  const card = board.locator('.card.session', { hasText: 'shop' });
  await card.getByText(/continues in [12] min/).waitFor();
  expect((await belfry(home, ['sessions'])).stdout).toMatch(/\tfailed: continues in [12] min\t/);
  const { stdout: pending } = await belfry(home, ['pending']);
  expect(pending).toMatch(/ · continues in [12] min · /);
  expect(pending).toMatch(/Don't let Belfry continue it: belfry continue \d+ --not-now\n/);

  await press(subject.getByRole('button', { name: "Don't continue" }));
  await page.getByText('Belfry will not continue it').waitFor();
  await subject.getByText(/^Belfry continues it/).waitFor({ state: 'detached' });
  await card.getByText(/continues in/).waitFor({ state: 'detached' });
  expect((await belfry(home, ['sessions'])).stdout).toMatch(/\tfailed\t/);

  await press(subject.getByRole('button', { name: 'Continue', exact: true }));
  expect((await waiting.next())?.data).toMatchObject({ reply: 'continue' });
  await give({ ...prompt, prompt: 'continue' });
  await page.getByText('It goes on', { exact: true }).waitFor();
  await board.getByRole('heading', { name: 'Working 1' }).waitFor();
  await card.waitFor();
  expect(complaints).toEqual([]);
});
