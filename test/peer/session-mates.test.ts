// Who shares the session of a command whose shell has left: an agent among them runs it, and a program that exits while it is read does not.
import { spawn } from 'node:child_process';
import { readlinkSync, realpathSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { agentBehind } from '../../src/peer/agent-behind.ts';
import { isAlive } from '../../src/runtime/process-table.ts';
import { until } from '../support/wait.ts';

/** Called before a file is read. */
let before: (path: string) => void = () => undefined;
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const readFileSync = (...args: Parameters<typeof fs.readFileSync>): unknown => {
    before(String(args[0]));
    return fs.readFileSync(...args);
  };
  return { ...fs, readFileSync };
});

const AGENT = {
  name: 'claude',
  processNames: ['claude', 'node'],
  commandsRunBy: ['claude', 'node'],
  commandVariables: [],
} as unknown as Parameters<typeof agentBehind>[0][number];

/** Two programs in a session whose leader has exited: one that only waits, and a node that runs no agent. */
async function session(): Promise<{ readonly waits: number; readonly node: number }> {
  const idle = `${process.execPath} -e 'setInterval(() => {}, 1e6)'`;
  const line = `sleep 600 >/dev/null 2>&1 & echo $!; ${idle} >/dev/null 2>&1 & echo $!`;
  const leader = spawn('/bin/sh', ['-c', line], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const [waits = 0, node = 0] = (await text(leader.stdout)).trim().split('\n').map(Number);
  // Until then it is a copy of the shell.
  await until(() => readlinkSync(`/proc/${node}/exe`) === realpathSync(process.execPath), 'the node');
  onTestFinished(() => {
    for (const pid of [waits, node])
      try {
        process.kill(pid, 'SIGKILL');
      } catch {} // it has exited
  });
  return { waits, node };
}

test('a program that exits while it is read is no agent', async () => {
  const { waits, node } = await session();
  expect(await agentBehind([AGENT], waits)).toBeNull();
  before = (path) => {
    if (path !== `/proc/${node}/cmdline`) return;
    process.kill(node, 'SIGKILL');
    while (isAlive(node, null)); // the system takes a moment
    throw new Error('ESRCH');
  };
  onTestFinished(() => {
    before = () => undefined;
  });
  expect(await agentBehind([AGENT], waits)).toBeNull();
});

test('one that is there and cannot be seen counts as one', async () => {
  const { waits, node } = await session();
  before = (path) => {
    if (path === `/proc/${node}/cmdline`) throw new Error('EACCES');
  };
  onTestFinished(() => {
    before = () => undefined;
  });
  expect(await agentBehind([AGENT], waits)).toMatchObject({ name: 'claude' });
});
