// A real Chromium for the tests of the page: one a file, closed at its end.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { asked } from './thread.ts';

/** No sandbox in a container, and nothing that asks the network by itself. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let started: Promise<Browser> | null = null;

function browser(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: '/usr/bin/chromium',
    headless: true,
    args: ARGUMENTS,
    env: { ...process.env, HOME: mkdtempSync(join(tmpdir(), 'belfry-chromium-')) },
  });
  return started;
}

afterAll(async () => {
  await (await started)?.close();
});

export interface OpenPage {
  readonly page: Page;
  /** What the page wrote to its console as an error, and what it threw. */
  readonly complaints: readonly string[];
  readonly origin: string;
}

/** A window of its own, let in through `belfry dashboard`; `path`: where it goes then. */
export async function openPage(home: string, options: BrowserContextOptions = {}, path = '/'): Promise<OpenPage> {
  const { url } = await asked<{ url: string }>(home, ['dashboard']);
  const [origin = '', fragment = ''] = url.split('/#');
  const context = await (await browser()).newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${origin}${path}#${fragment}`);
  return { page, complaints, origin };
}
