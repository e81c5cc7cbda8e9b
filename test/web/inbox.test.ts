// The page in a real browser: let in by a code, live after a real hook, acts, goes on after a restart.
import { expect, test } from 'vitest';
import { openPage, press } from '../support/browser.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** Everything goes to a program that does nothing. */
const QUIET_CHANNEL = '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n';

const permission = (session: string, message = 'Claude needs your permission to use Bash'): string =>
  JSON.stringify({
    session_id: session,
    hook_event_name: 'Notification',
    cwd: '/src/payments',
    notification_type: 'permission_prompt',
    message,
  });

test('a hook shows at once, an acknowledgement takes it away, a restart needs no reload', async () => {
  const home = homeWith(QUIET_CHANNEL);
  await startDaemon(home);
  const { page, complaints } = await openPage(home);
  await page.getByText('Nothing is waiting for you').waitFor();
  expect(page.url()).not.toContain('#t=');
  await page.evaluate('window.kept = true');

  await hook(home, permission('s1'), ['--agent', 'claude']);
  const card = page.locator('[data-notification]');
  await card.waitFor();
  expect(await card.textContent()).toContain('permission');
  expect(await page.title()).toBe('(1) Inbox · Belfry');
  await page.goto(new URL('/sessions', page.url()).href);
  await page.locator('.group li').waitFor();
  await page.goto(new URL('/', page.url()).href);
  await page.evaluate('window.kept = true');

  await press(card.getByRole('button', { name: /^Acknowledge/ }));
  await page.getByText('Nothing is waiting for you').waitFor();
  await until(() => page.evaluate<boolean>('document.title === "Inbox · Belfry"'), 'the page to show it');

  expect((await belfry(home, ['stop'])).code).toBe(0);
  await page.getByText('Belfry is not running').waitFor();
  await startDaemon(home);
  await page.getByText('Belfry is not running').waitFor({ state: 'detached' });
  await hook(home, permission('s2', 'Again <img src=x onerror=alert(1)>'), ['--agent', 'claude']);
  await card.waitFor();
  expect(await page.evaluate('window.kept')).toBe(true);
  expect(complaints.filter((text) => !text.includes('ERR_'))).toEqual([]);
});

test('a card says that its message is not out yet, and then where it went, without a reload', async () => {
  const audit = await startReceiver();
  const held: (() => void)[] = [];
  audit.answer = () => (_request, response) => void held.push(() => response.writeHead(200).end());
  const home = homeWith(webhookTo(audit.url));
  await startDaemon(home);
  const { page } = await openPage(home);
  await page.getByText('Nothing is waiting for you').waitFor();
  await hook(home, permission('s1'), ['--agent', 'claude']);
  await page.locator('[data-notification]').getByText('Not sent yet').waitFor();
  await audit.waitFor(1);
  for (const release of held) release();
  await page.locator('[data-notification]').getByText('Sent to audit').waitFor();
});
