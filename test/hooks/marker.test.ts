// A hook that runs after each tool: it leaves at once, reading and starting nothing, unless the marker is there.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hookCommand } from '../../src/runtime/hook-command.ts';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv } from '../support/programs.ts';

const packageDir = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** A home, and a Node that leaves a note when it is started. */
function bench(form: 'fast' | 'socket', marked: boolean) {
  const home = temporaryFolder();
  const node = join(home, 'node');
  const note = join(home, 'node-was-started');
  writeFileSync(node, `#!/bin/sh\n: >'${note}'\nexec '${process.execPath}' "$@"\n`);
  chmodSync(node, 0o755);
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
  if (marked) writeFileSync(join(home, 'run', 'prompt-open'), '');
  const command = hookCommand({ form, agent: 'x', marker: 'prompt-open', node, packageDir });
  const input = JSON.stringify({ hook_event_name: 'PostToolUse', session_id: 's' });
  const began = performance.now();
  const ran = spawnSync('sh', ['-c', command], { encoding: 'utf8', input, env: bareEnv(home) });
  const spool = join(home, 'spool');
  return {
    code: ran.status,
    out: ran.stdout + ran.stderr,
    ms: performance.now() - began,
    startedNode: existsSync(note),
    spooled: existsSync(spool) ? readdirSync(spool).length : 0,
  };
}

test.each([
  ['fast', false, { startedNode: false, spooled: 0 }],
  ['socket', false, { startedNode: true, spooled: 0 }],
  ['fast', true, { startedNode: true, spooled: 1 }],
  ['socket', true, { startedNode: true, spooled: 1 }],
] as const)('%s, with the marker: %s', (form, marked, expected) => {
  expect(bench(form, marked)).toMatchObject({ code: 0, out: '', ...expected });
});
