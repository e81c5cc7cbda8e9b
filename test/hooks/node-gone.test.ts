// A version manager took Node away: the shell hook keeps the input without it, and the next daemon sends it.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, run, startDaemon } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { until } from '../support/wait.ts';

const dist = new URL('../../dist', import.meta.url).pathname;

test('kept without Node and without a daemon, sent by the next one', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'spool'), { mode: 0o700 });
  const command = 'set -- "$1" "$2" --agent claude; . "$2/belfry-hook.sh"; exit 0';
  const { bytes } = sample('claude', 'Stop', 'print-plain');
  const ran = await run('/bin/sh', ['-c', command, 'sh', '/nowhere/node', dist], bareEnv(home), { input: bytes });
  expect(ran).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(readdirSync(join(home, 'spool'))).toHaveLength(1);
  expect(JSON.parse((await belfry(home, ['status', '--json'])).stdout)).toMatchObject({ running: false, spooled: 1 });
  expect((await belfry(home, ['doctor'])).stdout).toContain('events waiting in the spool: 1, and no daemon is running');
  await startDaemon(home);
  const notified = await until(async () => {
    const events = JSON.parse((await belfry(home, ['events', '--json'])).stdout) as { kind: string; agent: string }[];
    return events.find((event) => event.kind === 'agent.finished');
  }, 'the event to be in the journal');
  expect(notified).toMatchObject({ agent: 'claude' });
});
