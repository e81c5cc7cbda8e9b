// The button of the page that goes to a terminal: on what waits and on a session, with what was done or why not.
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';

test('Focus says why a pane that is gone cannot be shown', async () => {
  const home = homeWith('[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n');
  await startDaemon(home);
  const { page, origin } = await openPage(home);
  const input = {
    session_id: 's1',
    hook_event_name: 'Notification',
    cwd: '/src/payments',
    notification_type: 'permission_prompt',
    message: 'Claude needs your permission to use Bash',
  };
  await hook(home, JSON.stringify(input), ['--agent', 'claude'], { env: { TMUX: '/nowhere,1,0', TMUX_PANE: '%1' } });
  const answer = page.getByText('its pane in tmux is gone, or tmux does not answer').first();
  await page
    .locator('[data-notification]')
    .getByRole('button', { name: /^Go to terminal: / })
    .click();
  await answer.waitFor();
  await page.goto(`${origin}/sessions`);
  await page.locator('.group li a').first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Go to terminal: / }).click();
  await answer.waitFor();
  expect(await page.getByRole('button', { name: /^Go to terminal: / }).count()).toBe(1); // of the session: its card has none beside it
  expect(await page.getByRole('link', { name: 'Open session' }).count()).toBe(0);
});
