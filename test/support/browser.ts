// A real Chromium for the tests of the page: one a file, closed at its end.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { afterAll } from 'vitest';
import { asked } from './thread.ts';
import { until } from './wait.ts';

/** No sandbox in a container, nothing that asks the network by itself, and names of other sites that lead to this machine. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP *.example 127.0.0.1',
];

let started: Promise<Browser> | null = null;

function browser(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: process.env['BELFRY_BROWSER'] ?? '/usr/bin/chromium',
    headless: true,
    args: ARGUMENTS,
    env: { ...process.env, HOME: mkdtempSync(join(tmpdir(), 'belfry-chromium-')) },
  });
  return started;
}

afterAll(async () => {
  await (await started)?.close();
});

export interface Window {
  readonly page: Page;
  /** What the page wrote to its console as an error, and what it threw. */
  readonly complaints: readonly string[];
}

/** An empty window of its own: nothing is kept from others. */
export async function openWindow(options: BrowserContextOptions = {}): Promise<Window> {
  const context = await (await browser()).newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, complaints };
}

export interface OpenPage extends Window {
  readonly origin: string;
}

/** A window of its own, let in through `belfry dashboard`; `path`: where it goes then. */
export async function openPage(home: string, options: BrowserContextOptions = {}, path = '/'): Promise<OpenPage> {
  const { url } = await asked<{ url: string }>(home, ['dashboard']);
  const [origin = '', fragment = ''] = url.split('/#');
  const window = await openWindow(options);
  await window.page.goto(`${origin}${path}#${fragment}`);
  // Another address before that would be one of a tab that nobody let in.
  const isIn = (): Promise<boolean> => window.page.evaluate<boolean>('sessionStorage.length > 0');
  await until(isIn, 'the page to keep its token');
  return { ...window, origin };
}

/** Presses a button of a card as a person does: again, where the card had moved and the page took no press. */
export const press = (button: Locator): Promise<void> => untilSent(button.page(), () => button.click());

/** Presses a key until it counts, which it does on what had the focus for half a second; not once more, as two presses hold for twice as long. */
export const pressKey = (page: Page, key: string): Promise<void> => untilSent(page, () => page.keyboard.press(key));

async function untilSent(page: Page, act: () => Promise<void>): Promise<void> {
  let isSent = false;
  const notice = (request: Request): void => {
    isSent ||= request.method() !== 'GET';
  };
  page.on('request', notice);
  try {
    await until(async () => {
      await act();
      // Counted from the press: a busy machine may take long to make it.
      return until(() => isSent, 'a request', 2_000).catch(() => false);
    }, 'a press to count');
  } finally {
    page.off('request', notice);
  }
}
