// `npm run screens`: the most used screens at 80 columns, as docs/contributing/screens.md; `-- --check` fails when they are not what it holds.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSandbox } from '../../src/sandbox/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { envOf } from '../support/service-command.ts';
import { fillHome, TAKEN } from './home.ts';

const root = new URL('../../', import.meta.url).pathname;
const page = join(root, 'docs/contributing/screens.md');

/** Command lines without `belfry`, in the order of the page. */
const SCREENS = [
  '--help',
  'status',
  'pending',
  'pending --short',
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
  'api analytics activity --last 7d',
  'api analytics tokens --last 7d',
  'api enterprise-controls history --limit 6',
] as const;

const runFile = promisify(execFile);

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

/** What a terminal of 80 columns shows. The clock of the program stands at {@link TAKEN}; `service`: where its settings lead. */
async function capture(words: string, home: string, service: Record<string, string>): Promise<string> {
  const clock = join(home, 'clock.cjs');
  writeFileSync(
    clock,
    `const Real = Date; globalThis.Date = class extends Real { constructor(...a) { if (a.length === 0) super(${TAKEN}); else super(...a); } static now() { return ${TAKEN}; } };`,
  );
  const command = `stty cols 80 rows 40; exec '${process.execPath}' --require '${clock}' '${join(root, 'dist', 'belfry.js')}' ${words}`;
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: '/home/dev',
    BELFRY_HOME: home,
    BELFRY_NO_AUTOSTART: '1',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'xterm',
    SHELL: '/bin/sh',
    ...service,
  };
  try {
    return (await runFile('script', ['-qec', command, '/dev/null'], { env, cwd: home, timeout: 60_000 })).stdout;
  } catch (error) {
    const { stdout } = error as { stdout?: string }; // a screen may show a fault
    if (!stdout) throw error;
    return stdout;
  }
}

const home = mkdtempSync(join(tmpdir(), 'belfry-screens-'));
const service = await startSandbox({ clock: { ...systemClock, now: () => TAKEN } });
try {
  await fillHome(home);
  const env = envOf(service.baseUrl, service.apiKey);
  const shown: string[] = [];
  for (const words of SCREENS) {
    const text = settled(await capture(words, home, env), home);
    shown.push(`## belfry ${words}\n\n\`\`\`text\n$ belfry ${words}\n${text}\n\`\`\``);
  }
  const head = `# Screens

The most used screens at 80 columns, made by \`npm run screens\` from the built program and a home with a day's work in
it. No daemon is running; the organization's service is Belfry's own sandbox. What people read of each agent's events,
on the desktop and in Slack, is in the table of texts, test/fixtures/notification-texts.md of the repository. A
notification on a real desktop, made by \`npm run picture\`:

![A notification on the desktop](../pictures/notification.png)
`;
  const text = `${head}\n${shown.join('\n\n')}\n`;
  if (!process.argv.includes('--check')) writeFileSync(page, text);
  else if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/contributing/screens.md is out of date: run `npm run screens`');
    process.exitCode = 1;
  }
} finally {
  await service.close();
  rmSync(home, { recursive: true, force: true });
}
