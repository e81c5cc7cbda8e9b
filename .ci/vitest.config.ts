// The fast tests: `npm test`. Long ones (torture, real clients, desktops, Node versions) have their own configuration.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/torture/**', 'test/desktop/**', 'test/clients/**', 'test/matrix/**', 'node_modules/**'],
    pool: 'forks',
    maxWorkers: 4,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 20_000,
    reporters: ['dot'],
  },
});
