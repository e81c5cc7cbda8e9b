// The tests that need a desktop, a browser, a real client, other Node versions or time. Each npm script names its folder.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/{torture,desktop,clients,matrix,remotes,web}/**/*.test.ts', 'test/hostile/{page,load}.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    // The whole form of the soak takes an hour.
    testTimeout: process.env['BELFRY_TORTURE'] === 'whole' ? 5_400_000 : 1_200_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    // Other people's programs, three of half a gigabyte at once: one that does not start or stops in the middle, or a hook that does not
    // get the daemon's answer within its 120 ms on such a machine, is given another try in a home of its own.
    retry: process.argv.some((argument) => argument.startsWith('test/clients')) ? 1 : 0,
    reporters: ['verbose'],
  },
});
