// The fast tests: `npm test`; with BELFRY_TESTS=programs those that start the built programs over and over, and others that take long: `npm run test:programs`.
// Long ones (torture, real clients, desktops, Node versions) have their own configuration.
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;
/** Folders whose tests start programs in ways of their own. */
const PROGRAM_FOLDERS = ['test/e2e/**/*.test.ts', 'test/installers/**/*.test.ts', 'test/hooks/abuse-*.test.ts'];
/** The tests that start the built programs; the hook's own stay fast, and are what everything depends on. */
const PROGRAMS = [
  ...PROGRAM_FOLDERS,
  ...readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('hooks'))
    .filter((file) => readFileSync(`${root}test/${file}`, 'utf8').includes('/support/programs.ts'))
    .map((file) => `test/${file.replaceAll('\\', '/')}`),
];
/** Ten seconds and more each: whole days, real terminals, a program for each hostile text, databases that are filled to their bound. */
const LONG = [
  'test/oracle/{differences,upgrades}.test.ts',
  'test/answering/{joined,wrapped}.test.ts',
  'test/channels/{command,sound,speech,terminal}.test.ts',
  'test/channels/transcripts-*.test.ts',
  'test/delivery/{days,outage,quota}.test.ts',
  'test/dispatch/gate-table.test.ts',
  'test/hooks/{held-terminal,node-gone,node-upgraded,relay}.test.ts',
  'test/pipeline/notifications.test.ts',
  'test/{place,presence}/real-tmux.test.ts',
  'test/store/{plans,sqlite}.test.ts',
  'test/store/postgres/*.test.ts',
];
/** More of the same is run by the torture, in its short form too. */
const IN_TORTURE = ['test/oracle/{courses,days,outage-days}.test.ts'];
const SLOW = [
  'test/torture/**',
  'test/desktop/**',
  'test/clients/**',
  'test/matrix/**',
  'test/remotes/**',
  'test/web/**',
  'test/hostile/{page,load}.test.ts',
  'node_modules/**',
];
const programs = process.env['BELFRY_TESTS'] === 'programs';
/** A file or folder that is named is run, whichever it belongs to. */
const named = process.argv.some((argument) => argument.startsWith('test/'));

export default defineConfig({
  test: {
    root,
    include: programs ? [...PROGRAMS, ...LONG] : ['test/**/*.test.ts'],
    exclude: named ? SLOW : programs ? [...SLOW, ...IN_TORTURE] : [...SLOW, ...PROGRAMS, ...LONG, ...IN_TORTURE],
    pool: 'forks',
    // A process serves one file after the other: no module keeps anything of a test, and loading them for each took a third of the time.
    isolate: false,
    maxWorkers: 4,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 20_000,
    reporters: ['dot'],
  },
});
