// The fast tests that touch the gate, the batch, the writer and what is held: `npm run mutants` sees whether they notice.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['decisions', 'dispatch', 'pipeline', 'presence', 'sequences'].map(
      (folder) => `test/${folder}/**/*.test.ts`,
    ),
    // Random days, recordings and what starts programs: too long to be run for each mutant.
    exclude: ['days', 'made', 'programs', 'properties', 'recorded', 'week'].map(
      (name) => `test/sequences/${name}.test.ts`,
    ),
    testTimeout: 60_000,
  },
});
