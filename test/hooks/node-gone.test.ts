// A version manager took Node away: the shell hook keeps the input without it, and the next daemon sends it.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CAN_HIDE_NODE, WITHOUT_NODE } from '../support/hidden-node.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { writeSignOfLife } from './abuse/world.ts';
import { bareEnv, belfry, run, startDaemon } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { SHELLS } from '../support/shells.ts';
import { until } from '../support/wait.ts';

const dist = new URL('../../dist', import.meta.url).pathname;

test.runIf(CAN_HIDE_NODE)('kept without Node and without a daemon, sent by the next one', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'spool'), { mode: 0o700 });
  const command = 'set -- "$1" "$2" --agent claude; . "$2/belfry-hook.sh"; exit 0';
  const { bytes } = sample('claude', 'Stop', 'print-plain');
  const [program = '', ...args] = [...WITHOUT_NODE, '/bin/sh', '-c', command, 'sh', '/nowhere/node', dist];
  const ran = await run(program, args, bareEnv(home, { PATH: '/bin' }), { input: bytes });
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

// $$ is the same in a subshell: three processes of one pid, as in a container that was started again.
const THRICE = `ln -s "$3" "$4/$$.2.open"
for n in 1 2 3; do
  printf '{"hook_event_name":"Stop","session_id":"s%s"}' "$n" | (set -- "$1" "$2" --agent claude; . "$2/belfry-hook.sh")
done`;

test.each(SHELLS)('$name: three processes of one pid lose nothing, and write over nothing', async ({ shell }) => {
  const home = temporaryFolder();
  const spool = join(home, 'spool');
  const foreign = join(home, 'foreign');
  mkdirSync(spool, { mode: 0o700 });
  writeSignOfLife(pathsBelow(home));
  const [program = '', ...args] = [...shell, '-c', THRICE, 'sh', '/nowhere/node', dist, foreign, spool];
  const ran = await run(program, args, bareEnv(home));
  expect(ran).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const kept = readdirSync(spool).filter((name) => !name.endsWith('.2.open'));
  expect(kept.map((name) => name.replace(/^\d+/, 'PID')).sort()).toEqual(['PID.1.open', 'PID.3.open', 'PID.open']);
  const texts = kept.flatMap((name) => /s\d/.exec(readFileSync(join(spool, name), 'utf8')) ?? []);
  expect(texts.sort()).toEqual(['s1', 's2', 's3']);
  expect(existsSync(foreign)).toBe(false);
  await startDaemon(home);
  const sessions = await until(async () => {
    const events = JSON.parse(
      (await belfry(home, ['events', '--kind', 'agent.finished', '--json'])).stdout || '[]',
    ) as { session_id: string }[];
    return events.length === 3 && events.map((event) => event.session_id);
  }, 'the events to be in the journal');
  expect([...sessions].sort()).toEqual(['s1', 's2', 's3']);
});
