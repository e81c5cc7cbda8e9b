// Doctor: the journal: readable, undamaged, writable, no dead letters, nothing pending.
import { existsSync } from 'node:fs';
import { TEST_TITLE } from '../../model/event/internal-event.ts';
import type { StoreReader } from '../../store/contract.ts';
import { runningDaemon } from '../../runtime/daemon-file.ts';
import type { Paths } from '../../runtime/paths.ts';
import { outageWords } from '../daemon/outage-words.ts';
import { defineCheck, fail, type CheckResult, ok, warn } from './check.ts';
import { daemonStatus } from './shared/daemon-status.ts';
import { errorMessage } from '../../lib/text/error-message.ts';

export const journalCheck = defineCheck({
  name: 'journal',
  inspects: 'the database of events and deliveries: readable, writable, nothing given up',
  fixes: [
    ['it is damaged or cannot be read', '`belfry restart`: sets a damaged one aside and keeps what can be read'],
    ['it cannot be written: events are rejected', 'free up space on its disk'],
    [
      'deliveries were given up',
      '`belfry deliveries --failed` shows them, `belfry replay --dead` sends them again, `belfry deliveries clear --dead` forgets them',
    ],
  ],
  run: async ({ paths, now }) => {
    if (!existsSync(paths.database)) {
      if (!runningDaemon(paths)) return [ok('no journal yet')];
      return [fail(`${paths.database} is gone while the daemon is running`, 'run `belfry restart`')];
    }
    const { openReader } = await import('../../store/open-reader.ts');
    try {
      const store = await openReader(paths.database, 'all');
      try {
        const counts = await store.counts();
        await store.events({ limit: 100 });
        const { pending, paused } = counts.deliveries;
        const text = `events kept: ${counts.events}; deliveries waiting: ${pending}${paused > 0 ? `, paused: ${paused}` : ''}`;
        const refused = await outageResults(paths, now);
        const given = counts.deliveries.dead - (await failedTests(store, counts.deliveries.dead));
        if (given <= 0) return [...refused, ok(text)];
        return [
          ...refused,
          warn(
            `deliveries given up: ${given}`,
            'run `belfry deliveries --failed` to see them, then `belfry replay --dead` to send them again or `belfry deliveries clear --dead` to forget them',
          ),
        ];
      } finally {
        await store.close();
      }
    } catch (error) {
      const words = errorMessage(error).split('\n')[0];
      return [
        fail(
          `the journal cannot be read: ${words}`,
          'run `belfry restart`: it sets a damaged journal aside and keeps what can be read',
        ),
      ];
    }
  },
});

/** Most dead letters that are looked at one by one. */
const MAX_LETTERS = 500;

/** Failed tests among the dead letters: whoever ran them saw the result, and the channels' own check says whether they work now. */
async function failedTests(store: StoreReader, dead: number): Promise<number> {
  if (dead === 0) return 0;
  const rows = await store.deliveries({ states: ['dead'], limit: MAX_LETTERS });
  return rows.filter(({ content: { event } }) => event.kind === 'test' && event.presetText?.title === TEST_TITLE)
    .length;
}

/** What the running daemon could not store. */
async function outageResults(paths: Paths, now: number): Promise<readonly CheckResult[]> {
  const status = await daemonStatus(paths);
  const outage = status.state === 'answered' ? status.data.journal_outage : null;
  if (!outage) return []; // an older daemon does not say
  const { text, fix } = outageWords(outage, now);
  if (fix !== null) return [fail(text, fix)];
  return outage.recovered < outage.rejected
    ? [warn(text, 'the other events are lost; `belfry restart` clears this note')]
    : [];
}
