// An upgrade with deliveries pending: a database of every schema there was, its deliveries and undecided entries come out.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConnection } from '../../src/store/sqlite/engine/database.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { settleIn } from './senders.ts';
import { figures } from './size.ts';

const fixtures = new URL('../fixtures/store/', import.meta.url).pathname;
const databases = readdirSync(fixtures).filter((file) => file.endsWith('.db'));

test.each(databases)('what %s holds undelivered is delivered once', async (name) => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  settleIn(
    home,
    `${receiver.url}/audit`,
    `[channels.team]\ntype = "webhook"\nurl = "${receiver.url}/team"\nallow_private = true\n`,
  );
  mkdirSync(join(home, 'state'), { mode: 0o700 });
  copyFileSync(join(fixtures, name), join(home, 'state', 'belfry.db'));
  // What waits for a week is given up; these rows are older than that.
  const database = openConnection(join(home, 'state', 'belfry.db'));
  database.run('UPDATE deliveries SET created_at = ?', Date.now());
  database.close();
  const daemon = await startDaemon(home);
  const team = () => receiver.requests.filter((r) => r.path === '/team');
  await until(() => team().length >= 3, 'what was pending to be delivered');
  const listed = await belfry(home, ['deliveries', '--json']);
  expect(listed.code).toBe(0);
  await daemon.stop();
  const ids = team().map((r) => r.headers['webhook-id']);
  figures('upgrade', { database: name, pending: 3, delivered: ids.length });
  expect(ids.sort()).toEqual(['delivery-0', 'delivery-1', 'delivery-2']);
});
