// `npm run screens`: the most used screens at 80 columns, as docs/screens.md; `-- --check` fails when they are not what it holds.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillHome, TAKEN } from './home.ts';

const root = new URL('../../', import.meta.url).pathname;
const page = join(root, 'docs', 'screens.md');

/** Command lines without `belfry`, in the order of the page. */
const SCREENS = [
  '--help',
  'status',
  'sessions',
  'sessions --all',
  'events',
  'events --kind agent.waiting',
  'event 019ea022',
  'why 019ea022',
  'why 019ea023',
  'deliveries',
  'deliveries --failed',
  'explain question.json --agent claude',
  'routes show',
  'routes test 019ea024',
  'config check',
  'mute --list',
  'mute --help',
  'doctor',
  'secret list',
  'token list',
  'setup --help',
] as const;

/** Everything that would differ from one machine, moment or run to the next. */
function settled(text: string, home: string): string {
  return text
    .replaceAll(home, '~/.belfry')
    .replaceAll('\r', '')
    .replaceAll(/\(\d+ ms\)/g, '(60 ms)')
    .replaceAll(/v\d+\.\d+\.\d+(?=[ ,)\n])/g, 'vX.Y.Z')
    .replaceAll(/\b20\.\d+\.\d+\b/g, '20.X')
    .trimEnd();
}

/** What a terminal of 80 columns shows. The clock of the program stands at {@link TAKEN}. */
function capture(words: string, home: string): string {
  const clock = join(home, 'clock.cjs');
  writeFileSync(
    clock,
    `const Real = Date; globalThis.Date = class extends Real { constructor(...a) { if (a.length === 0) super(${TAKEN}); else super(...a); } static now() { return ${TAKEN}; } };`,
  );
  const command = `stty cols 80 rows 40; exec '${process.execPath}' --require '${clock}' '${join(root, 'dist', 'belfry.js')}' ${words}`;
  const env = {
    ...{ PATH: '/usr/bin:/bin', HOME: '/home/dev', BELFRY_HOME: home, BELFRY_NO_AUTOSTART: '1', NO_COLOR: '1' },
    ...{ LANG: 'C.UTF-8', TZ: 'UTC', TERM: 'xterm', SHELL: '/bin/sh' },
  };
  try {
    return execFileSync('script', ['-qec', command, '/dev/null'], {
      env,
      cwd: home,
      encoding: 'utf8',
      timeout: 60_000,
    });
  } catch (error) {
    const { stdout } = error as { stdout?: string }; // a screen may show a fault
    if (!stdout) throw error;
    return stdout;
  }
}

const home = mkdtempSync(join(tmpdir(), 'belfry-screens-'));
try {
  await fillHome(home);
  const shown = SCREENS.map((words) => {
    const text = settled(capture(words, home), home);
    return `## belfry ${words}\n\n\`\`\`text\n$ belfry ${words}\n${text}\n\`\`\``;
  });
  const head = `# Screens

The most used screens at 80 columns, made by \`npm run screens\` from the built program and a home with a day's work in it; no daemon is
running. What people read of each agent's events, on the desktop and in Slack, is in [the table of texts](../test/fixtures/notification-texts.md);
a notification on a real desktop, made by \`npm run picture\`:

![A notification on the desktop](notification.png)
`;
  const text = `${head}\n${shown.join('\n\n')}\n`;
  if (!process.argv.includes('--check')) writeFileSync(page, text);
  else if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/screens.md is out of date: run `npm run screens`');
    process.exitCode = 1;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
