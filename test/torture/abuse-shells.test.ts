// The shell hook under every sh that is in use: the same abuse cases as under this system's own, and a kill.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookCommand } from '../../src/runtime/hook-command.ts';
import { partialName } from '../../src/ipc/shell-spool-file.ts';
import { JSON_INPUT } from '../hooks/abuse/case.ts';
import { casesFor } from '../hooks/abuse/table.ts';
import { runCase } from '../hooks/abuse/run-case.ts';
import { startWorldDaemon, writeSignOfLife } from '../hooks/abuse/world.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { bareEnv, HOOK } from '../support/programs.ts';
import { SHELLS } from '../support/shells.ts';
import { until } from '../support/wait.ts';

test('the three that every release is tried with are here', () => {
  expect(SHELLS.map(({ name }) => name)).toEqual(expect.arrayContaining(['dash', 'bash', 'busybox sh']));
});

describe.each(SHELLS)('$name', ({ shell }) => {
  test.each(casesFor('fast'))('$name', (abuse) => runCase(abuse, 'fast', shell));

  test('strict from its start', () => runCase({ name: 'strict', kept: JSON_INPUT }, 'fast', [...shell, '-euC']));

  test('what is killed once its bytes are there has been kept', async () => {
    const home = temporaryFolder();
    const paths = pathsBelow(home);
    writeSignOfLife(paths);
    mkdirSync(paths.spool, { mode: 0o700 });
    const packageDir = join(HOOK, '..', '..');
    const command = hookCommand({ form: 'fast', agent: 'x', node: process.execPath, packageDir });
    for (let i = 0; i < 50; i++) {
      const [program = '', ...args] = [...shell, '-c', command];
      const child = spawn(program, args, { env: bareEnv(home), stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.write(`{"n":${i}}`); // and not closed, so that it cannot end
      const file = join(paths.spool, partialName(child.pid ?? 0));
      await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('{"n":'), 'its bytes');
      child.kill('SIGKILL');
      child.stdin.destroy();
    }
    const got = await startWorldDaemon(paths, 'up');
    await until(async () => ((await got?.()) ?? []).length === 50, 'all of them', 60_000);
  });
});
