// The journal's undecided entries: one that cannot be put aside holds up no other.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createIngest } from '../../src/ingest/ingest.ts';
import { openStore } from '../../src/store/open.ts';
import { writerOf } from '../support/deciding.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeEntry, NOON } from '../support/made.ts';
import { commitOne } from '../support/store-writes.ts';

const header = (id: string): string =>
  JSON.stringify({ id, startedAt: 1, receivedAt: 1, origin: { pid: 1, ppid: 1, env: {} } });

test('an unreadable input stays in the journal while the quarantine cannot be written, and the others come', async () => {
  const store = await openStore(join(temporaryFolder(), 'belfry.db'));
  onTestFinished(() => store.close());
  const loaded = await loadConfig(null);
  if (!loaded.ok) throw new Error('no defaults');
  let writable = false;
  const aside: string[] = [];
  const intake = createIngest({
    store,
    agents,
    config: () => loaded.config,
    quarantine: async (name) => {
      if (!writable) throw new Error('EACCES');
      aside.push(name);
    },
    decideNothing: async (entryId) => void (await writerOf(store).write(async () => ({ entryId, at: NOON }))),
    now: () => NOON,
    take: () => undefined,
    log: () => undefined,
    count: () => undefined,
  });
  const keep = (id: string, raw: string, startedAt: number) =>
    store.append(madeEntry({ id, startedAt, header: header(id), raw: Buffer.from(raw) }));
  await keep('bad-entry', 'no JSON', 1);
  await keep('good-entry', '{"hook_event_name":"Stop","session_id":"s"}', 2);
  const backlog = async (limit: number, ...known: readonly string[]) =>
    (await intake.backlog(limit, new Set(known))).map(({ entryId }) => entryId);
  expect(await backlog(10)).toEqual(['good-entry']);
  expect(await backlog(1)).toEqual(['good-entry']);
  expect(await backlog(10, 'good-entry')).toEqual([]);
  expect((await store.pendingEntries(10)).entries.map(({ id }) => id)).toEqual(['bad-entry', 'good-entry']);

  await keep('also-bad-entry', '[]', 3);
  await commitOne(store, madeDecision({ entryId: 'good-entry', events: [] }));
  expect(await backlog(10)).toEqual([]);
  writable = true;
  expect(await backlog(10)).toEqual([]);
  expect(aside).toEqual(['bad-entry', 'also-bad-entry']);
  expect((await store.pendingEntries(10)).entries).toEqual([]);
});
