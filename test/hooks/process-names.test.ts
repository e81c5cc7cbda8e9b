// What a client's process is called, whatever its thread's or interpreter's name is: on real processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ancestorsFrom } from '../../src/runtime/process-table.ts';
import { temporaryFolder } from '../support/home.ts';

const CASES: readonly { readonly thread: string; readonly script: string; readonly name: string }[] = [
  { thread: 'MainThread', script: 'copilot/dist/index.js', name: 'copilot' },
  { thread: 'node', script: 'qwen', name: 'qwen' },
  { thread: 'node-MainThread', script: 'gemini.js', name: 'gemini' },
  { thread: 'codex', script: 'other.js', name: 'codex' },
];

test.runIf(process.platform === 'linux').each(CASES)(
  '$thread runs $script: $name',
  async ({ thread, script, name }) => {
    const file = join(temporaryFolder(), script);
    mkdirSync(dirname(file), { recursive: true });
    const own = `require('fs').writeFileSync('/proc/self/comm', '${thread}'); console.log('ready'); process.stdin.resume();`;
    writeFileSync(file, own);
    const child = spawn(process.execPath, ['--no-warnings', file], { stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    expect(ancestorsFrom(child.pid ?? 0)[0]?.name).toBe(name);
  },
);
