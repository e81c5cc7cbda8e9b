// A daemon whose database is damaged under it ends, and the next one goes on with what could be read.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Decision } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeDecision, madeSession } from '../support/made.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { commitOne } from '../support/store-writes.ts';

/** More sessions than the daemon keeps pages of. */
const SESSIONS = 12_000;

async function fill(file: string): Promise<void> {
  const store = await openStore(file);
  const one = (n: number): Decision =>
    madeDecision({
      entryId: `entry-${n}`,
      events: [],
      sessions: [madeSession({ agent: 'claude', sessionId: `s-${n}`, lastAssistantMessage: 'x'.repeat(600) })],
    });
  await Promise.all(Array.from({ length: SESSIONS }, (_, n) => commitOne(store, one(n))));
  await store.close();
}

test('it ends, the database is set aside, the next daemon takes events again', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), 'routes = []\n', { mode: 0o600 });
  const file = join(home, 'state', 'belfry.db');
  await fill(file);
  const first = await startDaemon(home);
  writeFileSync(file, Buffer.alloc(statSync(file).size, 7), { flag: 'r+' });
  // Each reads its session, on another page.
  for (let n = 0; first.process.exitCode === null && n < 200; n++)
    await hook(home, JSON.stringify({ session_id: `s-${(n * 997) % SESSIONS}`, cwd: '/tmp', hook_event_name: 'Stop' }));
  await until(() => first.process.exitCode !== null, 'the daemon to end');
  expect(first.process.exitCode).toBe(1);
  const second = await startDaemon(home);
  await hook(home, '{"session_id":"s","cwd":"/tmp","hook_event_name":"Stop"}');
  await until(async () => (await belfry(home, ['events', '--json'])).stdout.includes('Stop'), 'the new event');
  expect(readdirSync(join(home, 'state')).some((name) => name.startsWith('belfry.db.damaged-'))).toBe(true);
  expect(readFileSync(join(home, 'state', 'daemon.log'), 'utf8')).toContain('the journal was damaged');
  await second.stop();
});
