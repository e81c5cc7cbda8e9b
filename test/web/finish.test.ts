// What the inbox shows of a turn that is done: its last words, how long it took, and the files that it edited, from a transcript.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { startDaemon } from '../support/programs.ts';
import { homeWith, spool } from '../support/thread.ts';

const SETTINGS = '[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n';

test('a finish says its last words, how long it took and which files it edited', async () => {
  const home = homeWith(SETTINGS);
  await startDaemon(home);
  const began = Date.now() - 120_000;
  const record = (role: string, content: unknown, after: number): string =>
    `${JSON.stringify({ type: role, timestamp: new Date(began + after).toISOString(), message: { role, content } })}\n`;
  const edits = (path: string, after: number): string =>
    record('assistant', [{ type: 'tool_use', id: path, name: 'Edit', input: { file_path: path } }], after);
  const say = (session: string, paths: readonly string[]): void => {
    const transcript = join(home, `${session}.jsonl`);
    const turn = paths.map((path, i) => edits(path, 1_000 * (i + 1)));
    writeFileSync(transcript, [record('user', 'go', 0), ...turn].join(''));
    const common = { session_id: session, cwd: `/src/${session}`, transcript_path: transcript };
    spool(home, { ...common, hook_event_name: 'UserPromptSubmit', prompt: 'go' }, began, { agent: 'claude' });
    const words = { hook_event_name: 'Stop', last_assistant_message: `The words of ${session}.` };
    spool(home, { ...common, ...words }, began + 60_000, { agent: 'claude' });
  };
  say('none', []);
  say('two', ['/src/two/lib/a.ts', '/etc/hosts']);
  say('many', [
    '/src/many/a.ts',
    '/src/many/<img src=x onerror=alert(1)>.ts',
    '/src/many/c\u202e.ts',
    '/src/many/d.ts',
  ]);
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } });
  const subject = page.locator('[data-subject]');
  const look = async (session: string): Promise<void> => {
    await page.locator('.inbox-row', { hasText: session }).click();
    await subject.getByText(`The words of ${session}.`).waitFor();
    await subject.getByText('Took 1 min').waitFor();
  };
  await look('two');
  await subject.getByText('2 files: lib/a.ts, /etc/hosts', { exact: true }).waitFor();
  await look('many');
  const files = subject.getByText('4 files: a.ts, <img src=x onerror=alert(1)>.ts, +2 more', { exact: true });
  await files.click();
  expect(await subject.locator('li', { hasText: /^[^<]*\.ts$/ }).allInnerTexts()).toEqual([
    'a.ts',
    expect.stringMatching(/^c.*\.ts$/),
    'd.ts',
  ]);
  expect(await subject.innerText()).not.toContain('\u202e');
  expect(await subject.locator('img').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await look('none');
  expect(await subject.getByText(/\d files?/).count()).toBe(0);
  expect(complaints).toEqual([]);
});
