// Sessions of a machine elsewhere that is not reachable say since when, on the board and on their own page, and no more once nobody wants it connected.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { violations } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { pathsBelow } from '../support/home.ts';
import { madeDecision, madeEntry, madeSession } from '../support/made.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { commitOne } from '../support/store-writes.ts';
import { homeWith } from '../support/thread.ts';

const SAID = /not reachable since \d\d:\d\d/;

test('a session of a machine that is not reachable says since when', async () => {
  const home = homeWith('[remotes.box]\nrun = ["false"]\n');
  const { database } = pathsBelow(home);
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  const store = await openStore(database);
  const now = Date.now();
  await store.append(madeEntry({ id: 'entry', startedAt: now, receivedAt: now }));
  const at = { since: now, firstSeen: now, lastEvent: now, state: 'working' } as const;
  const sessions = [
    madeSession({ ...at, host: 'box', sessionId: 'far', project: 'far-away', title: null }),
    madeSession({ ...at, host: 'desk', sessionId: 'near', project: 'near-by', title: null }),
  ];
  await commitOne(store, madeDecision({ entryId: 'entry', at: now, sessions }));
  await store.close();
  await startDaemon(home);
  const { page, complaints } = await openPage(home, { viewport: { width: 1_280, height: 800 } }, '/sessions');
  const card = (name: string) => page.locator('.card.session', { hasText: name });
  await card('far-away').getByText(SAID).waitFor();
  await card('near-by').waitFor();
  expect(await card('near-by').getByText(SAID).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  const opened = await page.context().newPage();
  await opened.goto(`${new URL(page.url()).origin}/sessions/far`);
  await opened.getByText(SAID).waitFor();
  expect(await violations(opened)).toEqual([]);
  expect(await belfry(home, ['remote', 'disconnect', 'box'])).toMatchObject({ code: 0 });
  for (const shown of [page, opened]) await shown.getByText(SAID).waitFor({ state: 'detached', timeout: 60_000 });
  await card('far-away').waitFor();
  expect(complaints).toEqual([]);
});
