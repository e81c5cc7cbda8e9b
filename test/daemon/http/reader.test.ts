// The thread for reads, as it is built: what nobody waits for any more ends, and nothing beside it does.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { channelProfiles } from '../../../src/daemon/channels/channel-profiles.ts';
import { createReader } from '../../../src/daemon/http/reader.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { openStore } from '../../../src/store/open.ts';
import { DIST } from '../../support/files.ts';
import { temporaryFolder } from '../../support/home.ts';
import { madeDecision, madeEvent } from '../../support/made.ts';
import { commitOne } from '../../support/store-writes.ts';

test('a try of rules that nobody waits for any more ends, and reads beside it go on', async () => {
  const database = join(temporaryFolder(), 'belfry.db');
  const store = await openStore(database);
  onTestFinished(() => store.close());
  const verdicts = [{ stage: 'route', verdict: 'route', note: 'desk: route 1' }] as const;
  const at = Date.now() - 60_000;
  const events = Array.from({ length: 1_200 }, (_, i) => ({
    event: madeEvent({ id: `event-${i}`, at: at - i }),
    fingerprint: null,
    verdicts,
  }));
  await commitOne(store, madeDecision({ events }));
  const loaded = await loadConfig(
    '[channels.desk]\ntype = "slack"\nurl = "https://hooks.example.com/a"\n[[routes]]\nto = ["desk"]\n',
  );
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  const reader = createReader({
    program: pathToFileURL(join(DIST, 'page-reader.js')),
    database,
    titles: {},
    clock: systemClock,
    rules: () => ({ routes: [], channels: [], home: '/' }),
    lost: () => new Map(),
  });
  onTestFinished(() => reader.stop());
  const rules = { config: loaded.config, profiles: channelProfiles(loaded.config) };
  const call = { present: rules, proposed: rules, days: 7 };
  const over = new AbortController();
  const ended = reader.read('previewRules', call, over.signal);
  const whole = reader.read('previewRules', call, new AbortController().signal);
  over.abort();
  await expect(ended).rejects.toMatchObject({ status: 409 });
  await expect(reader.read('previewRules', call, AbortSignal.abort())).rejects.toMatchObject({ status: 409 });
  expect(JSON.parse(String(await whole))).toMatchObject({ events: 1_200 });
});
