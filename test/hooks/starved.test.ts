// A machine so busy that the hook's time is over before it could look: what lies in the pipe is still read.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, HOOK } from '../support/programs.ts';

test('an input that came while the hook could not run is not lost', async () => {
  const home = temporaryFolder();
  const busy = join(home, 'busy.cjs');
  writeFileSync(
    busy,
    'setImmediate(() => { console.error("busy"); for (const end = Date.now() + 2500; Date.now() < end; ); });',
  );
  const child = spawn(process.execPath, ['--require', busy, HOOK], {
    env: bareEnv(home),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => child.stderr.once('data', resolve));
  child.stdin.end('{"session_id":"starved"}');
  expect(await ended).toBe(0);
  const spooled = readdirSync(join(home, 'spool')).map((name) => readFileSync(join(home, 'spool', name), 'utf8'));
  expect(spooled.join()).toContain('{"session_id":"starved"}');
});
