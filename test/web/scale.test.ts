// 10,000 sessions, 100,000 events and more open than are listed: what comes, scrolls and is searched is drawn without a wait, with little in the document.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { openPage } from '../support/browser.ts';
import { pathsBelow } from '../support/home.ts';
import { madeDecision, madeEntry, madeEvent, madeNotification, madeSession } from '../support/made.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { commitOne } from '../support/store-writes.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SESSIONS = 10_000;
const EVENTS = 100_000;
/** Notifications that are open. */
const OPEN = 250;
/** Sessions and events that are written at once. */
const BATCH = 500;

async function filledHome(): Promise<string> {
  const home = homeWith('');
  const { database } = pathsBelow(home);
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  const store = await openStore(database);
  const now = Date.now();
  for (let from = 0; from < SESSIONS; from += BATCH) {
    const id = `made-${from}`;
    await store.append(madeEntry({ id, startedAt: now, receivedAt: now }));
    const numbers = Array.from({ length: BATCH }, (_, i) => from + i);
    const events = numbers.flatMap((n) =>
      Array.from({ length: EVENTS / SESSIONS }, (_, i) => ({
        event: madeEvent({ id: `event-${n}-${i}`, at: now - 60_000 - n, sessionId: `s${n}`, project: `project-${n}` }),
        fingerprint: null,
        verdicts: [],
      })),
    );
    const sessions = numbers.map((n) => {
      const at = now - n;
      return madeSession({ sessionId: `s${n}`, project: `project-${n}`, since: at, firstSeen: at, lastEvent: at });
    });
    const notifications = numbers
      .filter((n) => n < OPEN)
      .map((n) =>
        madeNotification({
          id: `ntf-${n}`,
          threadKey: `box/dev/generic/s${n}`,
          kind: n % 5 === 0 ? 'agent.waiting' : 'agent.finished',
          detail: null,
          urgency: 'normal',
          eventIds: [`event-${n}-0`],
          title: `project-${n}: finished`,
          createdAt: now - 60_000 - n,
          updatedAt: now - 60_000 - n,
          expiresAt: now + 86_400_000,
        }),
      );
    await commitOne(store, madeDecision({ entryId: id, at: now, events, sessions, notifications }));
  }
  await store.close();
  return home;
}

/** Of what happened meanwhile, ms: the longest time between two frames, and the processor time of our own script in the frame that had most of it. */
interface Frames {
  readonly longest: number;
  readonly script: number;
}

/** What the browser traces. */
interface Traced {
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** Of these, what this thread had of the processor: what other programs do is not in it. */
  readonly tdur?: number;
  readonly args: { readonly data?: { readonly url?: string } };
}

/** Each frame leaves a mark, for as long as the page is not loaded again. */
const MARK_FRAMES = `requestAnimationFrame(function look() { performance.mark('frame'); requestAnimationFrame(look); }); undefined`;
const SCRIPT = ['FunctionCall', 'EvaluateScript', 'RunMicrotasks'];

async function framesWhile(page: Page, act: () => Promise<void>): Promise<Frames> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8', 'blink.user_timing'] });
  await act();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    readonly traceEvents: readonly Traced[];
  };
  const marks = traceEvents.filter(({ name, cat }) => name === 'frame' && cat.includes('blink.user_timing'));
  const [first] = marks;
  if (first === undefined) throw new Error('no frame was drawn');
  const isOurs = ({ name, pid, tid, args }: Traced): boolean =>
    pid === first.pid &&
    tid === first.tid &&
    SCRIPT.includes(name) &&
    (name === 'RunMicrotasks' || (args.data?.url ?? '').startsWith(new URL(page.url()).origin));
  const frames = marks.map(({ ts }) => ts).sort((a, b) => a - b);
  const spent = new Map<number, number>();
  let end = 0;
  for (const { ts, dur = 0, tdur = dur } of traceEvents.filter(isOurs).sort((a, b) => a.ts - b.ts)) {
    if (ts < end) continue; // within another
    end = ts + dur;
    const frame = frames.findLastIndex((mark) => mark <= ts);
    spent.set(frame, (spent.get(frame) ?? 0) + tdur / 1_000);
  }
  const gaps = frames.slice(1).map((mark, at) => (mark - (frames[at] ?? mark)) / 1_000);
  return { longest: Math.max(...gaps), script: Math.max(0, ...spent.values()) };
}

test('10,000 sessions: long lists stay quick, and no frame waits for our own script', async () => {
  const home = await filledHome();
  await startDaemon(home);
  const { page, origin } = await openPage(home, { viewport: { width: 1_280, height: 800 } }, '/sessions');
  const measured: (Frames & { readonly what: string })[] = [];
  const measure = async (what: string, act: () => Promise<void>): Promise<void> => {
    measured.push({ what, ...(await framesWhile(page, act)) });
  };
  const say = async (sessions: readonly string[]): Promise<void> => {
    for (const session of sessions) {
      const input = {
        session_id: session,
        cwd: `/src/${session}`,
        hook_event_name: 'Stop',
        last_assistant_message: 'Done.',
      };
      await hook(home, JSON.stringify(input), ['--agent', 'claude']);
    }
  };
  const cards = page.locator('.card.session');
  await cards.nth(119).waitFor();
  expect(await cards.count()).toBe(120);
  await page.evaluate(MARK_FRAMES);
  await measure('events on the board', async () => {
    await say(['b1', 'b2', 'b3', 'b1', 'b2', 'b3']);
    await until(async () => (await cards.count()) === 123, 'all to be on the board');
  });
  await measure('scroll the board', () => scrollTo(page, 1_500));
  await measure('search the board', async () => {
    await page.getByLabel('Search sessions').pressSequentially('project-9999', { delay: 40 });
    await until(async () => (await cards.count()) === 1, 'the filter to be shown');
  });
  const rows = page.locator('a.inbox-row');
  const visit = async (name: string): Promise<void> => page.getByRole('navigation').getByRole('link', { name }).click();
  await measure('open the inbox', async () => {
    await visit('Inbox');
    await rows.nth(199).waitFor();
  });
  await measure('events in the inbox', async () => {
    await say(['i1', 'i2', 'i3', 'i1', 'i2', 'i3']);
    await rows.filter({ hasText: 'i3' }).waitFor();
  });
  await measure('scroll the inbox', async () => {
    await page.locator('.inbox-list').hover();
    await until(async () => {
      await page.mouse.wheel(0, 800);
      return page.evaluate<boolean>(`document.querySelector('.inbox-list').scrollTop > 4000`);
    }, 'the inbox to have scrolled');
  });
  await measure('search the inbox', async () => {
    await page.getByLabel('Search or command').pressSequentially('project-77', { delay: 40 });
    await until(async () => (await rows.count()) === 1, 'the search to be shown');
    await page.getByLabel('Search or command').fill('');
    await rows.nth(199).waitFor();
  });
  await measure('open the board', async () => {
    await visit('Sessions');
    await cards.nth(119).waitFor();
  });
  await page.goto(`${origin}/events`);
  await page.locator('.rows > li').nth(20).waitFor();
  await page.evaluate(MARK_FRAMES);
  await measure('scroll events', () => scrollTo(page, 20_000));
  expect(await page.locator('.rows > li').count()).toBeLessThan(60);
  const round = (ms: number): string => `${ms.toFixed(1)} ms`;
  for (const { what, longest, script } of measured)
    console.log(`${what}: our own script at most ${round(script)} of a frame; longest frame ${round(longest)}`);
  // 16 ms of script and frames of less than 100 ms where the machine is free; it may be busy with other tests.
  expect(Math.max(...measured.map(({ script }) => script))).toBeLessThan(100);
  expect(Math.max(...measured.map(({ longest }) => longest))).toBeLessThan(500);
});

async function scrollTo(page: Page, y: number): Promise<void> {
  await until(
    async () => {
      await page.mouse.wheel(0, 2_000);
      return page.evaluate<boolean>(`window.scrollY >= ${y}`);
    },
    'the list to have scrolled',
    60_000,
  );
}
