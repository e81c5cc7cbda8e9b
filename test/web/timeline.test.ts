// A session's timeline on its page: what it was given and asked, how long it waited today, who was notified, and how it ended.
import { expect, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith, spool } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const input = (what: object): Record<string, unknown> => ({ session_id: 's', cwd: '/src/payments', ...what });
const PROMPTED = { hook_event_name: 'UserPromptSubmit', prompt: 'Fix the build\nand run it' };
const ASKS = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'npm run build' } };
const STOP = { hook_event_name: 'Stop', last_assistant_message: 'done' };

async function homeWithSession(): Promise<string> {
  const desk = await startReceiver();
  const home = homeWith(
    `[channels.desk]\ntype = "slack"\nurl = "${desk.url}/services/x"\nallow_private = true\n[[routes]]\nto = ["desk"]\n`,
  );
  await startDaemon(home);
  const began = Date.now() - 90_000;
  for (const [at, what] of [PROMPTED, ASKS].entries())
    spool(home, input(what), began + at * 1_000, { agent: 'claude' });
  await desk.waitFor(1);
  return home;
}

test('what it was given, asked and sent, the latest first, followed while it is open', async () => {
  const home = await homeWithSession();
  const { page, complaints } = await openPage(home, {}, '/sessions/s');
  const rows = page.locator('.timeline li');
  await rows.getByText('Sent to desk: Claude needs permission to run Bash').waitFor();
  const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
  expect(texts.map((text) => /(?:Given|Asked|Notified)/.exec(text)?.[0])).toEqual(['Notified', 'Asked', 'Given']);
  expect(texts[1]).toMatch(/Claude needs permission to run Bash: has waited (?:1|2) min/);
  expect(texts[2]).toContain('Fix the build and run it');
  await page.getByText(/^(?:1|2) min waited for you today\.$/).waitFor();
  await page.getByText('1 prompt; asked to use Bash').waitFor();
  expect(await violations(page)).toEqual([]);

  let reads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/timeline')) reads += 1;
  });
  await hook(home, JSON.stringify(input(STOP)), ['--agent', 'claude']);
  await rows.getByText(/Claude needs permission to run Bash: waited (?:1|2) min/).waitFor();
  await rows
    .getByText(/Claude finished/)
    .first()
    .waitFor();
  const before = reads;
  const EVENTS = 20;
  for (let at = 0; at < EVENTS; at++)
    await hook(home, JSON.stringify(input({ ...PROMPTED, prompt: `more ${at}` })), ['--agent', 'claude']);
  await rows.getByText(`more ${EVENTS - 1}`).waitFor();
  console.log(`${((reads - before) / EVENTS).toFixed(2)} requests an event of the session that is looked at`);
  expect((reads - before) / EVENTS).toBeLessThanOrEqual(0.3);
  await page.getByRole('button', { name: /^Show \d+ earlier$/ }).click();
  await rows.getByText('Fix the build and run it').click();
  await page.getByRole('heading', { name: 'payments: Claude was given work' }).waitFor();
  expect(complaints).toEqual([]);
});

test('as narrow as a phone, dark, each row as large as a thumb', async () => {
  const home = await homeWithSession();
  const { page } = await openPage(
    home,
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' },
    '/sessions/s',
  );
  await page.locator('.timeline li').nth(2).waitFor();
  for (const link of await page.locator('.timeline a').all())
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  expect(await violations(page)).toEqual([]);
});

test('a session of yesterday shows its last day', async () => {
  const home = homeWith('');
  await startDaemon(home);
  const yesterday = Date.now() - 86_400_000;
  spool(home, input(PROMPTED), yesterday, { agent: 'claude' });
  const { page } = await openPage(home, {}, '/sessions/s');
  await page.locator('.timeline').getByText('Fix the build and run it').waitFor();
  await until(() => page.getByText('Has not waited for you today.').isVisible(), 'what waited today');
});
