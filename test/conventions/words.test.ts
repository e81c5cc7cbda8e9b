// Names, comments and pages use the field's standard terms: the vocabulary of ARCHITECTURE.md, no private one.
import { expect, test } from 'vitest';
import { files, read, sources } from './files.ts';

/** What stands for each of these: sent, reported or notified; fix; again; session record; handler; in flight; notifying; sandbox; must. */
const PRIVATE =
  /\b(?:told|untold|telling|mend(?:s|ed|ing)?|anew|ledger|keepers?|in hand|shall|aloud|louder|loudness|stand-ins?|past the (?:outbox|routes)|let go of|lets go of|stands on|said goodbye)\b/i;

/** Files whose texts for people, or names in the database, still hold one. Nothing is added here. */
const PENDING: ReadonlySet<string> = new Set([
  'docs/doctor.md',
  'installers/edit/document.ts',
  'installers/edit/hooks.ts',
  'installers/files/read.ts',
  'src/channels/desktop/linux.ts',
  'src/channels/webhook.ts',
  'src/cli/doctor.ts',
  'src/cli/doctor/agents.ts',
  'src/cli/doctor/channels.ts',
  'src/cli/doctor/check.ts',
  'src/cli/doctor/clock.ts',
  'src/cli/doctor/hook.ts',
  'src/cli/doctor/journal.ts',
  'src/cli/doctor/service-key.ts',
  'src/cli/event-rows.ts',
  'src/cli/event.ts',
  'src/cli/explain.ts',
  'src/cli/logs/line.ts',
  'src/cli/outage.ts',
  'src/cli/select-agents.ts',
  'src/cli/send.ts',
  'src/cli/setup.ts',
  'src/cli/setup/choose.ts',
  'src/cli/setup/config-text.ts',
  'src/cli/status.ts',
  'src/cli/test.ts',
  'src/cli/uninstall.ts',
  'src/cli/why.ts',
  'src/daemon/commands/replay.ts',
  'src/daemon/commands/test.ts',
  'src/daemon/direct-notifier.ts',
  'src/daemon/journal-failing.ts',
  'src/daemon/metrics.ts',
  'src/daemon/resolve-channels.ts',
  'src/daemon/service-clients.ts',
  'src/daemon/service-findings.ts',
  'src/delivery/check-channel.ts',
  'src/delivery/parked.ts',
  'src/delivery/retry-policy.ts',
  'src/ingest/undecidable.ts',
  'src/lib/check-url.ts',
  'src/lib/outbound-url.ts',
  'src/model/channel.ts',
  'src/model/session.ts',
  'src/pipeline/clamp-future.ts',
  'src/pipeline/classify.ts',
  'src/pipeline/correlate.ts',
  'src/pipeline/dedupe.ts',
  'src/pipeline/hold.ts',
  'src/pipeline/index.ts',
  'src/pipeline/notified-channels.ts',
  'src/pipeline/session-state.ts',
  'src/pipeline/transitions.ts',
  'src/sources/watch-scheduler.ts',
  'src/sources/watches/sessions.ts',
  'src/sources/watches/usage.ts',
  'src/store/sqlite/migrate.ts',
]);

const pages = files.filter((file) => file === 'README.md' || file === 'ARCHITECTURE.md' || /^docs\/.*\.md$/.test(file));

/** Identifiers as the words they are made of: `finishTold` is "finish Told". */
const words = (line: string): string => line.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/_/g, ' ');

const found = (file: string): string[] =>
  read(file)
    .split('\n')
    .flatMap((line, at) => {
      const word = PRIVATE.exec(words(line))?.[0];
      return word === undefined ? [] : [`${file}:${at + 1}: ${word}`];
    });

test('no private word in code and pages', () => {
  const checked = [...sources, ...pages];
  expect(checked.length).toBeGreaterThan(400);
  expect(checked.filter((file) => !PENDING.has(file)).flatMap(found)).toEqual([]);
});

test('no file is called by one', () => {
  expect(files.filter((file) => file.split(/[/.-]/).some((part) => PRIVATE.test(part)))).toEqual([]);
});
