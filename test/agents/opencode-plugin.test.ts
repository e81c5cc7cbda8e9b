// The plugin that opencode loads, in a process of its own with a hook that takes its time: order, hangs and the client's exit.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pluginModule } from '../../src/agents/opencode/plugin.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';

const bus = (id: string, type: string, more: Record<string, unknown> = {}) => ({
  id,
  type,
  properties: { sessionID: 's', ...more },
});
const BUSY = bus('1', 'session.status', { status: { type: 'busy' } });
const AGAIN = bus('2', 'session.status', { status: { type: 'busy' } });
const ERROR = bus('3', 'session.error', { error: { name: 'MessageAbortedError' } });
const IDLE = bus('4', 'session.idle');
const OTHER = bus('5', 'message.updated');

const answer = (id: string, role: string, more: Record<string, unknown> = {}) =>
  bus(id, 'message.updated', { info: { sessionID: 's', role, ...more } });
const ABORTED = answer('6', 'assistant', { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } });

const ABORT = '3 aborted, terminal: none';

it.each([
  ['a later event never overtakes an earlier one', '0.3', 'stay', [BUSY, ERROR, IDLE], ['1', ABORT, '4']],
  [
    'only the first busy counts, and nothing that is of no interest',
    '0',
    'stay',
    [BUSY, AGAIN, OTHER, IDLE],
    ['1', '4'],
  ],
  ['busy counts again after an idle', '0', 'stay', [BUSY, IDLE, AGAIN], ['1', '4', '2']],
  [
    'what waits when the client exits is handed over all the same',
    '0.3',
    'exit',
    [BUSY, ERROR, IDLE],
    ['1', ABORT, '4'],
  ],
  [
    'an answer that was aborted where there is no terminal: its idle says so, once',
    '0',
    'stay',
    [BUSY, answer('7', 'user'), ABORTED, IDLE, AGAIN, bus('8', 'session.idle')],
    ['1', '4 aborted, terminal: none', '2', '8'],
  ],
  [
    'an answer that came after all',
    '0',
    'stay',
    [BUSY, ABORTED, answer('7', 'assistant', { time: { completed: 1 } }), IDLE],
    ['1', '4'],
  ],
] as const)('%s', async (_name, delay, then, events, expected) => {
  const folder = temporaryFolder();
  const got = join(folder, 'got');
  // The first hook is the slowest.
  const command = `input=$(cat); case $input in *'"id":"1"'*) sleep ${delay};; esac; echo "$input" >> ${got}`;
  writeFileSync(join(folder, 'plugin.mjs'), pluginModule(command));
  writeFileSync(
    join(folder, 'client.mjs'),
    `import { Belfry } from './plugin.mjs';
const plugin = await Belfry({ directory: ${JSON.stringify(folder)} });
for (const event of ${JSON.stringify(events)}) await plugin.event({ event });
${then === 'exit' ? 'process.exit(0);' : 'process.stdin.resume();'}`,
  );
  const client = spawn(process.execPath, [join(folder, 'client.mjs')], {
    detached: true, // in a session of its own, which has no terminal
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => void client.kill('SIGKILL'));
  const ids = (): string[] =>
    existsSync(got)
      ? readFileSync(got, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as { id: string; aborted?: boolean; terminal?: string })
          .map(({ id, aborted, terminal }) => (aborted ? `${id} aborted, terminal: ${terminal}` : id))
      : [];
  await until(() => ids().length >= expected.length, 'every event');
  // At its exit the client cannot wait for the hook that runs.
  expect(then === 'exit' ? ids().sort() : ids()).toEqual(expected);
});
