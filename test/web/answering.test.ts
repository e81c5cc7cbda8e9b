// Questions on the page: what the agent asks is there whole, as text; allow, deny and a reply reach the hook that waits; a second tab follows.
import { expect, test } from 'vitest';
import { permission, startWaiting, stop } from '../support/answering.ts';
import { openPage } from '../support/browser.ts';
import { startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';

const SETTINGS =
  '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n[answer]\nkinds = ["permission", "question", "finished"]\n';
const HOSTILE = 'echo "<img src=x onerror=alert(1)>" && rm -rf ./build';

test('allow, deny with a reason, reply; two tabs', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const { page, complaints } = await openPage(home);
  const { page: other } = await openPage(home);

  const asked = await startWaiting(home, permission('q1', HOSTILE));
  const question = page.locator(`[data-question="${asked.question.id}"]`);
  await question.waitFor();
  expect(await question.locator('pre').textContent()).toContain(HOSTILE);
  await other.locator(`[data-question="${asked.question.id}"]`).waitFor();
  await question.getByRole('button', { name: 'Allow' }).click();
  expect((await asked.ended).stdout).toContain('"behavior":"allow"');
  await other.locator(`[data-question="${asked.question.id}"]`).waitFor({ state: 'detached' });

  const second = await startWaiting(home, permission('q2'));
  const denied = page.locator(`[data-question="${second.question.id}"]`);
  await denied.getByLabel(/If you deny/).fill('use the staging database');
  await denied.getByRole('button', { name: 'Deny' }).click();
  expect((await second.ended).stdout).toContain('use the staging database');

  const third = await startWaiting(home, stop('q3'), ['--agent', 'claude', '--reply']);
  const replied = page.locator(`[data-question="${third.question.id}"]`);
  await replied.getByLabel('Your reply').fill('now write the changelog');
  await replied.getByRole('button', { name: 'Reply' }).click();
  expect((await third.ended).stderr).toContain('now write the changelog'); // where this client reads it
  expect(complaints).toEqual([]);
});
