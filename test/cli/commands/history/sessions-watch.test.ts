// `belfry sessions --watch` on a terminal: the screen is cleared once, and what comes is written over what was there.
import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { bareEnv, BELFRY, hook, startDaemon } from '../../../support/programs.ts';
import { homeWith } from '../../../support/thread.ts';
import { until } from '../../../support/wait.ts';

test('a new session appears without the screen being cleared, and nothing is drawn while nothing changes', async () => {
  const home = homeWith('[channels.bell]\ntype = "terminal"\n[[routes]]\nto = []\n');
  await startDaemon(home);
  const start = (session: string) =>
    hook(home, JSON.stringify({ hook_event_name: 'SessionStart', session_id: session, cwd: home, source: 'startup' }), [
      '--agent',
      'claude',
    ]);
  await start('first-session');
  const child = spawn(
    'script',
    ['-qec', `stty cols 100 rows 40; exec ${process.execPath} ${BELFRY} sessions --watch`, '/dev/null'],
    {
      env: { ...bareEnv(home), TERM: 'xterm', SHELL: '/bin/sh' },
      stdio: 'pipe',
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let raw = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (raw += text));
  await until(() => raw.includes('first-session'), 'the first session');
  await start('second-session');
  await until(() => raw.includes('second-sessio'), 'the second one');
  expect(raw.split('\u001b[2J')).toHaveLength(2);
  expect(raw.slice(raw.lastIndexOf('\u001b[H'))).toMatch(/^\u001b\[HAGENT .*\u001b\[K\r?\n[\s\S]*\u001b\[J$/);
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.write('\u0003');
  await ended;
});
