// The rules in a real browser: text and form, mistakes by line, the last days beside now, saving, and a file that changes meanwhile.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/interface.ts';
import { startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith, spool, writeSettings } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const settings = (url: string, more = ''): string => `# mine
[channels.desk]
type = "slack"
url = "${url}/desk"
allow_private = true

[channels.phone]
type = "slack"
url = "${url}/phone"
allow_private = true

[channels.own]
type = "command"
run = ["true"]

# what is urgent
[[routes]]
match = { urgency = "urgent" }
to = ["desk", "phone"]

[[routes]] # the rest
to = ["desk"]
${more}`;

async function homeWithDays(
  more = '',
): Promise<{ readonly home: string; readonly file: () => string; readonly url: string }> {
  const { url } = await startReceiver();
  const home = homeWith(settings(url, more));
  await startDaemon(home);
  const now = Date.now();
  for (const [index, message] of (hostile as readonly string[]).slice(0, 12).entries())
    spool(
      home,
      {
        session_id: `s${index}`,
        cwd: `/src/${message.replaceAll('/', '|')}`,
        hook_event_name: 'Notification',
        notification_type: 'permission_prompt',
        message,
      },
      now - 60_000 * (20 - index),
      { agent: 'claude' },
    );
  spool(home, { session_id: 'f', cwd: '/src/api', hook_event_name: 'StopFailure', error: 'x' }, now - 1_000, {
    agent: 'claude',
  });
  const { call } = await visit(home);
  await until(async () => (await call('events.list', { limit: 100 })).events.length >= 13, 'all events');
  return { home, url, file: () => readFileSync(join(home, 'config.toml'), 'utf8') };
}

test('by the form and as text, tried, then saved', async () => {
  const { home, file } = await homeWithDays();
  const before = file();
  const { page, complaints } = await openPage(home, {}, '/rules');
  const section = page.getByRole('region', { name: 'Change the rules' });
  const field = section.getByLabel('Rules, as TOML');
  await field.waitFor();
  const rules =
    '# what is urgent\n[[routes]]\nmatch = { urgency = "urgent" }\nto = ["desk", "phone"]\n\n[[routes]] # the rest\nto = ["desk"]\n';
  expect(await field.inputValue()).toBe(rules);
  const save = section.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);

  // A program that no route names cannot be ticked.
  expect(await section.getByLabel(/^own/).isDisabled()).toBe(true);
  await section.getByLabel('Change').selectOption('2');
  await section.getByRole('group', { name: 'Send to' }).getByLabel('desk').uncheck();
  const verdict = section.locator('.verdict');
  await verdict.waitFor();
  expect(await verdict.innerText()).toMatch(
    /^\d+ instead of \d+ messages; none urgent lost; 12 prompts that nobody would see\.$/,
  );
  expect(await field.inputValue()).toBe(rules.replace(/to = \["desk"\]\n$/, 'to = []\n'));
  await section.getByText('12 events would go another way').waitFor();
  // What agents say is text.
  expect(await section.locator('.rule-changes :is(script, img, iframe, svg, b, i, style, [onerror])').count()).toBe(0);
  expect(await section.locator('.rule-changes li').count()).toBe(12);
  await section.getByLabel('Wait before sending').fill('soon');
  await section.getByLabel('Wait before sending').press('Enter');
  await section.getByRole('button', { name: 'Line 8' }).waitFor();
  expect(await save.isDisabled()).toBe(true);
  await section.getByRole('button', { name: 'Line 8' }).click();
  expect(
    await page.evaluate<string>(
      'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
    ),
  ).toBe('delay = "soon"');
  expect(await violations(page)).toEqual([]);
  expect(file()).toBe(before);

  await field.fill(rules.replace('to = ["desk", "phone"]', 'to = []'));
  await until(async () => /1 urgent lost/.test(await verdict.innerText()), 'the urgent one to be missed');
  expect(await section.locator('.rule-changes li').first().innerText()).toContain('reaches nobody');
  await field.fill(rules.replace('to = ["desk", "phone"]', 'to = ["phone"]'));
  await until(async () => (await save.isEnabled()) && /none urgent lost/.test(await verdict.innerText()), 'a try');
  await save.click();
  await page.locator('.announcer .done', { hasText: 'Saved, and in force' }).waitFor();
  expect(file()).toBe(before.replace('to = ["desk", "phone"]', 'to = ["phone"]'));
  // What is in force is shown without a visit.
  await page.getByRole('region', { name: 'Routes' }).getByText('phone', { exact: true }).waitFor();
  await until(async () => {
    const text = await page.getByRole('region', { name: 'Routes' }).locator('li').first().innerText();
    return !text.includes('desk');
  }, 'the routes to follow');
  expect(await save.isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
});

test('a file that is changed meanwhile is not written over by chance; a draft is kept', async () => {
  const { home, file, url } = await homeWithDays();
  const { page } = await openPage(home, {}, '/rules');
  const section = page.getByRole('region', { name: 'Change the rules' });
  const field = section.getByLabel('Rules, as TOML');
  await field.waitFor();
  await field.fill('[[routes]]\nto = ["phone"]\n');
  await page.getByRole('link', { name: 'Channels' }).click();
  await page.getByRole('link', { name: 'Rules' }).click();
  await field.waitFor();
  expect(await field.inputValue()).toBe('[[routes]]\nto = ["phone"]\n');

  const other = settings(url, '[retention]\ndays = 3\n');
  writeSettings(home, other);
  await section.getByText('was changed meanwhile').waitFor();
  expect(await section.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await section.getByRole('button', { name: 'Keep my text' }).click();
  const save = section.getByRole('button', { name: 'Save' });
  await until(() => save.isEnabled(), 'a try');
  await save.click();
  await page.locator('.announcer .done', { hasText: 'Saved' }).waitFor();
  expect(file()).toContain('to = ["phone"]\n[retention]\ndays = 3\n');
  expect(file()).not.toContain('# the rest');
});

test('narrow, touched, and a file without anything', async () => {
  const { home } = await homeWithDays();
  const { page } = await openPage(
    home,
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    '/rules',
  );
  const section = page.getByRole('region', { name: 'Change the rules' });
  await section.getByLabel('Rules, as TOML').fill('');
  await section.locator('.verdict').waitFor();
  const [inside, outside] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  expect(inside).toBeLessThanOrEqual(outside);
  expect(await violations(page)).toEqual([]);
});

test('of two changes in quick succession both stay, and so does what is typed while it is saved', async () => {
  const { home, file } = await homeWithDays();
  const { page, complaints } = await openPage(home, {}, '/rules');
  const section = page.getByRole('region', { name: 'Change the rules' });
  const field = section.getByLabel('Rules, as TOML');
  await field.waitFor();
  const held: (() => void)[] = [];
  let isHolding = true;
  await page.route(/\/api\/v1\/rules/, async (route) => {
    if (isHolding && route.request().method() !== 'GET') await new Promise<void>((resolve) => void held.push(resolve));
    await route.continue();
  });
  const letGo = async (): Promise<void> => {
    await until(() => held.length > 0, 'a request');
    held.shift()?.();
  };
  await section.getByLabel('Change').selectOption('2');
  const sendTo = section.getByRole('group', { name: 'Send to' });
  await sendTo.getByLabel('phone').check();
  await section.getByLabel('Wait before sending').fill('5s');
  await section.getByLabel('Wait before sending').press('Enter');
  await letGo();
  await letGo();
  await until(async () => (await field.inputValue()).includes('delay = "5s"'), 'the second change');
  expect(await field.inputValue()).toContain('[[routes]] # the rest\nto = ["desk", "phone"]\n');
  expect(await sendTo.getByLabel('phone').isChecked()).toBe(true);

  const saved = await field.inputValue();
  const save = section.getByRole('button', { name: 'Save' });
  await until(() => save.isEnabled(), 'the try to end');
  await save.click();
  await until(() => held.length > 0, 'the save');
  const typed = `${saved}# more\n`;
  await field.fill(typed);
  isHolding = false;
  for (const go of held.splice(0)) go();
  await until(() => file().includes('delay = "5s"'), 'the file');
  await until(() => save.isEnabled(), 'the rest to be saved');
  expect(await field.inputValue()).toBe(typed);
  await save.click();
  await until(() => file().includes('# more'), 'the rest');
  expect(complaints).toEqual([]);
});

test('a program that is taken from the last route that names it: said beside its box before it is saved', async () => {
  const { home } = await homeWithDays('[[routes]]\nto = ["own"]\n');
  const { page } = await openPage(home, {}, '/rules');
  const section = page.getByRole('region', { name: 'Change the rules' });
  await section.getByLabel('Change').selectOption('3');
  const own = section.getByRole('group', { name: 'Send to' }).getByLabel(/^own/);
  const warned = section.locator('label').filter({ hasText: /^own/ }).getByText('only config.toml can bring it back');
  expect(await warned.count()).toBe(0);
  await own.uncheck();
  await warned.waitFor();
  await until(() => section.getByRole('button', { name: 'Save' }).isEnabled(), 'a try');
  expect(await violations(page)).toEqual([]);
  await own.check();
  await warned.waitFor({ state: 'detached' });
});
