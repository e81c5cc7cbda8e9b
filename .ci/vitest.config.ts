// The fast tests: `npm test`; with BELFRY_TESTS=programs those that start the built programs over and over: `npm run test:programs`.
// Long ones (torture, real clients, desktops, Node versions) have their own configuration.
import { defineConfig } from 'vitest/config';

const PROGRAMS = ['test/e2e/**/*.test.ts', 'test/installers/**/*.test.ts', 'test/hooks/abuse-*.test.ts'];
const SLOW = ['test/torture/**', 'test/desktop/**', 'test/clients/**', 'test/matrix/**', 'node_modules/**'];
const programs = process.env['BELFRY_TESTS'] === 'programs';
/** A file or folder that is named is run, whichever it belongs to. */
const named = process.argv.some((argument) => argument.startsWith('test/'));

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: programs ? PROGRAMS : ['test/**/*.test.ts'],
    exclude: programs || named ? SLOW : [...SLOW, ...PROGRAMS],
    pool: 'forks',
    maxWorkers: 4,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 20_000,
    reporters: ['dot'],
  },
});
