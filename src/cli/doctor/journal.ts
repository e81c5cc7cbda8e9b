// Doctor: the journal: readable, whole, nothing given up, nothing left undecided.
import { existsSync } from 'node:fs';
import { runningDaemon } from '../../wire/daemon-file.ts';
import { defineCheck, fail, ok, warn } from './check.ts';

export const journal = defineCheck({
  name: 'journal',
  looks: 'the database of events and deliveries',
  mends: [
    ['it is damaged or cannot be read', '`belfry restart`: a damaged one is set aside, what can be read is kept'],
    ['deliveries were given up', '`belfry deliveries --failed` shows them, `belfry replay --dead` sends them again'],
  ],
  run: async ({ paths }) => {
    if (!existsSync(paths.database)) {
      if (!runningDaemon(paths)) return [ok('there is no journal yet')];
      return [fail(`${paths.database} is gone while the daemon runs`, 'run `belfry restart`')];
    }
    const { openReader } = await import('../../store/open.ts');
    try {
      const store = await openReader(paths.database);
      try {
        const counts = await store.counts();
        await store.events({ limit: 100 });
        const text = `${counts.events} events are kept, ${counts.deliveries.pending} deliveries under way`;
        if (counts.deliveries.dead === 0) return [ok(text)];
        return [
          warn(
            `${counts.deliveries.dead} deliveries were given up`,
            '`belfry deliveries --failed` shows them, `belfry replay --dead` sends them again',
          ),
        ];
      } finally {
        await store.close();
      }
    } catch (error) {
      const words = error instanceof Error ? error.message.split('\n')[0] : String(error);
      return [
        fail(
          `the journal cannot be read: ${words}`,
          'run `belfry restart`: a damaged one is set aside, what can be read is kept',
        ),
      ];
    }
  },
});
