// Other programs may use up all the file notifications that the system allows a user: the shell hook's events still come soon.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hookCommand } from '../../src/runtime/hook-command.ts';
import { bareEnv, HOOK, run, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { homeWith, stop, verified, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const NONE_LEFT = 'echo 0 >/proc/sys/user/max_inotify_instances && exec "$@"';
const BEFORE = ['unshare', '--user', '--map-root-user', 'sh', '-c', NONE_LEFT, 'sh'];

/** Empty where namespaces of users are not allowed: then the daemon watches, and the same holds. */
function withoutNotifications(): readonly string[] {
  try {
    execFileSync('unshare', [...BEFORE.slice(1), 'true'], { stdio: 'ignore' });
    return BEFORE;
  } catch {
    return [];
  }
}

test('events of the shell hook are sent within seconds though nothing can be watched', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  const through = withoutNotifications();
  const daemon = await startDaemon(home, { through });
  const packageDir = join(HOOK, '..', '..');
  const command = hookCommand({ form: 'fast', agent: 'claude', node: process.execPath, packageDir });
  for (const session of ['one', 'two']) {
    await run('/bin/sh', ['-c', command], bareEnv(home), { input: JSON.stringify(stop(session)) });
    // Once a minute would be too late.
    await until(
      () => audit.requests.map((r) => verified(r).data.event['session_id']).includes(session),
      session,
      30_000,
    );
  }
  const log = readFileSync(join(home, 'state', 'daemon.log'), 'utf8');
  const said = log.split('the spool cannot be watched').length - 1;
  if (through.length > 0) expect(said).toBe(1);
  await daemon.stop();
});
