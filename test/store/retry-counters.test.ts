// Schema 3: what was counted by reading attempts is counted on the delivery; a delivery goes on where schema 2 left it.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open.ts';
import { openConnection } from '../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../src/store/sqlite/engine/migrate.ts';
import { temporaryFolder } from '../support/home.ts';

const [OK, SERVER, LATER] = ['ok', 'server', 'rate-limited'] as const;

test.each<[string, readonly (readonly [string, string?])[], { failures: number; deferrals: number; kept: number }]>([
  ['nothing tried', [], { failures: 0, deferrals: 0, kept: 0 }],
  ['failures', [[SERVER], [SERVER], [SERVER]], { failures: 3, deferrals: 0, kept: 3 }],
  ['"not now" in a row', [[SERVER], [LATER], [LATER]], { failures: 1, deferrals: 2, kept: 3 }],
  ['"not now", then a failure', [[LATER], [LATER], [SERVER]], { failures: 1, deferrals: 0, kept: 3 }],
  ['given up and replayed', [[SERVER], [SERVER, 'dead: 2'], [SERVER]], { failures: 1, deferrals: 0, kept: 3 }],
  ['sent once, replayed', [[OK], [LATER]], { failures: 0, deferrals: 1, kept: 2 }],
  [
    '40,000 times "not now"',
    Array.from({ length: 40_000 }, () => [LATER] as const),
    { failures: 0, deferrals: 40_000, kept: 20 },
  ],
])('%s', async (_what, attempts, expected) => {
  const file = join(temporaryFolder(), 'state', 'belfry.db');
  mkdirSync(dirname(file), { mode: 0o700 });
  const old = openConnection(file);
  migrate(old, file, () => undefined, MIGRATIONS.slice(0, 2));
  old.run(
    `INSERT INTO deliveries (id, event_id, channel, session_key, state, head, attempts, due, created_at, updated_at, notification)
     VALUES ('d', 'e', 'team', 's', 'pending', 1, ?, 0, 0, 0, '{}')`,
    attempts.length,
  );
  old.transaction(() => {
    for (const [i, [reason, next = 'again']] of attempts.entries())
      old.run(
        `INSERT INTO attempts VALUES ('d', ?, ?)`,
        i + 1,
        JSON.stringify({ number: i + 1, ok: reason === OK, reason: reason === OK ? null : reason, next }),
      );
  });
  old.close();
  const store = await openStore(file);
  onTestFinished(() => store.close());
  const { failures, deferrals, kept } = expected;
  expect(await store.deliveries({})).toMatchObject([{ failures, deferrals, unknowns: 0, attempts: attempts.length }]);
  expect(await store.attempts('d')).toHaveLength(kept);
});
