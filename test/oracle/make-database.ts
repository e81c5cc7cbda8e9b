// Writes a database with everything pending, with the programs of the build that is named: `tsx test/oracle/make-database.ts DIST OUT.db`, packed, with the time in its name.
// Run once for each schema, with the last build that wrote it; what it leaves is kept in test/oracle/databases.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { openConnection } from '../../src/store/sqlite/engine/database.ts';

const [dist = '', out = ''] = process.argv.slice(2);
const home = mkdtempSync('/tmp/belfry-made-');
const env = { PATH: process.env['PATH'], HOME: home, BELFRY_HOME: home, BELFRY_NO_AUTOSTART: '1', LANG: 'C.UTF-8' };
const belfry = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(dist, 'belfry.js'), ...args], { env, encoding: 'utf8' });

const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/hangs') return; // a lease that its daemon never gives back
  response.statusCode = request.url === '/fails' ? 503 : 200;
  response.end('ok');
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const CHANNELS = `
[channels.audit]
type = "webhook"
url = "${url}/audit"
allow_private = true
[channels.desk]
type = "slack"
url = "${url}/services/x"
allow_private = true
[channels.broken]
type = "webhook"
url = "${url}/fails"
allow_private = true
[channels.slow]
type = "webhook"
url = "${url}/hangs"
allow_private = true
timeout = "60s"
`;
const ESCALATE = 'escalate = [{ after = "2m", to = ["slow"] }]\nrepeat = "20m"\n';
const ROUTE = `[[routes]]\nto = ["audit", "broken", "slow"]\nalso = true\n[[routes]]\nto = ["desk"]\n${ESCALATE}`;
const clock = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
const HELD = `[quiet]\nhours = ["${clock(-1)}-${clock(6)}"]\nzone = "UTC"\n`;
/** From what the latest builds know to what the earliest one does. */
const FIRST = [`${CHANNELS}${ROUTE}group = { by = ["project"], wait = "1s", every = "1m" }\n`, `${CHANNELS}${ROUTE}`];

/** Takes the first of these that this build takes. */
function configure(...settings: readonly string[]): void {
  for (const text of settings) {
    writeFileSync(join(home, 'config.toml'), text, { mode: 0o600 });
    try {
      belfry('config', 'check');
      return;
    } catch {
      // The next one is smaller.
    }
  }
  throw new Error('this build takes none of the settings');
}

async function start(): Promise<ChildProcess> {
  const daemon = spawn(process.execPath, [join(dist, 'daemon.js')], { env, stdio: 'ignore' });
  for (let i = 0; i < 100; i++) {
    await pause(200);
    try {
      if (belfry('status').length > 0 && existsSync(join(home, 'run'))) return daemon;
    } catch {
      // It begins.
    }
  }
  throw new Error('the daemon did not start');
}

function hook(program: string, input: Readonly<Record<string, unknown>>): ChildProcess {
  const child = spawn(process.execPath, [join(dist, program), '--agent', 'claude'], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin?.end(JSON.stringify(input));
  return child;
}

const asks = (session: string, project: string) => ({
  session_id: session,
  cwd: `/home/dev/src/${project}`,
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: `make ${session}` },
  tool_use_id: `use-${session}`,
});
const has = (session: string, event: string, more: object) => ({
  session_id: session,
  cwd: '/home/dev/src/payments',
  hook_event_name: event,
  ...more,
});

configure(...FIRST);
let daemon = await start();
const waiting = existsSync(join(dist, 'belfry-ask.cjs')) ? hook('belfry-ask.cjs', asks('one', 'payments')) : null;
for (const input of [asks('one', 'payments'), asks('two', 'payments'), asks('three', 'api')])
  hook('belfry-hook.cjs', input);
hook('belfry-hook.cjs', has('four', 'SessionEnd', { reason: 'error' }));
await pause(6_000);
daemon.kill('SIGKILL');
await pause(500);
configure(...FIRST.map((text) => `${HELD}${text}`), ...FIRST);
daemon = await start();
hook('belfry-hook.cjs', asks('five', 'payments'));
hook('belfry-hook.cjs', has('six', 'Stop', {}));
await pause(1_000);
try {
  belfry('mute', '4h');
} catch {
  // It has none yet.
}
hook('belfry-hook.cjs', asks('seven', 'web'));
await pause(4_000);
daemon.kill('SIGKILL');
waiting?.kill('SIGKILL');
await pause(500);

for (const end of ['', '-wal'])
  if (existsSync(join(home, 'state', `belfry.db${end}`)))
    copyFileSync(join(home, 'state', `belfry.db${end}`), `${out}${end}`);
const database = openConnection(out);
database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
const rows = database.all<{ readonly state: string; readonly n: number }>(
  'SELECT state, count(*) AS n FROM deliveries GROUP BY state',
);
process.stdout.write(`${out}: ${rows.map(({ state, n }) => `${n} ${state}`).join(', ')}\n`);
database.exec('PRAGMA journal_mode = DELETE');
database.close();
const packed = brotliCompressSync(readFileSync(out), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
writeFileSync(`${out.replace(/\.db$/, '')}-${Date.now()}.db.br`, packed);
rmSync(out);
rmSync(home, { recursive: true, force: true });
process.exit(0);
