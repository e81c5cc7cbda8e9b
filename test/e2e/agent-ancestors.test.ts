// What only a person may do is refused below an agent, and nowhere else: most agents and many editors' servers run in Node, whose name says nothing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLines, parseCimArguments, parsePsArguments } from '../../src/lib/programs/processes.ts';
import { agents } from '../../src/agents/index.ts';
import { agentAmong, type JudgedProcess } from '../../src/peer/agent-of-process.ts';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, BELFRY, run, startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';

/** Runs belfry with the words that it is given, as a shell in a terminal of an editor would. */
const SCRIPT = `const { spawnSync } = require('node:child_process');
const words = process.argv.slice(process.argv.indexOf('--') + 1);
process.exitCode = spawnSync(process.execPath, ['${BELFRY}', ...words], { stdio: 'inherit' }).status;`;

interface Run {
  readonly what: string;
  readonly file: string;
  readonly agent: string | null;
  readonly inFolder: boolean;
  readonly options: readonly string[];
}

/** `agent`: what it is taken for. `inFolder`: its file is named from there. */
const ofServer = (what: string, file: string, inFolder = false, options: readonly string[] = []): Run => ({
  what,
  file,
  agent: null,
  inFolder,
  options,
});
const ofAgent = (agent: string, file: string, inFolder = false, options: readonly string[] = []): Run => ({
  what: 'refused',
  file,
  agent,
  inFolder,
  options,
});

const RUNS: readonly Run[] = [
  ofServer('a server of an editor', 'server/out/server-main.js'),
  ofServer('one that begins in its folder', 'server/main.js', true),
  ofServer('one with options', 'server/dist/index.js', true, ['--no-warnings', '-r', 'node:os']),
  ofServer('one of a user who is called so', 'home/claude/.vscode-server/out/server-main.js'),
  ofAgent('qwen', 'lib/node_modules/@qwen-code/qwen-code/cli.js'),
  ofAgent('qwen', 'lib/node_modules/@qwen-code/qwen-code/cli.js', true),
  ofAgent('qwen', 'qwen-code/dist/cli.js', true, ['--no-warnings']),
  ofAgent('qwen', 'bin/qwen', false, ['--max-old-space-size=512']),
  ofAgent('qwen', 'bin/qwen', false, ['--require', 'node:os']),
  ofAgent('gemini', 'lib/node_modules/@google/gemini-cli/bundle/gemini.js'),
  ofAgent('gemini', 'lib/node_modules/@google/gemini-cli/dist/index.js', true),
  ofAgent('copilot', 'lib/node_modules/@github/copilot/npm-loader.js'),
  ofAgent('claude', 'lib/node_modules/@anthropic-ai/claude-code/cli.js'),
  ofAgent('codex', 'lib/node_modules/@openai/codex/bin/codex.js'),
];

/** How a command ends that this script runs. */
async function runBelow(home: string, file: string, words: string, inFolder = false, options: readonly string[] = []) {
  const path = join(temporaryFolder(), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, SCRIPT);
  const cwd = dirname(path);
  const script = inFolder ? path.slice(cwd.length + 1) : path;
  return run(process.execPath, [...options, script, '--', ...words.split(' ')], bareEnv(home), { cwd });
}

test.runIf(process.platform === 'linux').each(RUNS)('$what: $file', async ({ file, agent, inFolder, options }) => {
  const ran = await runBelow(homeWith(''), file, 'token add mine --scope answer', inFolder, options);
  expect([ran.code, /an agent \((\w+)\)/.exec(ran.stderr)?.[1] ?? null]).toEqual([agent === null ? 0 : 3, agent]);
});

test.runIf(process.platform === 'linux')('the daemon is asked below an editor’s server, and by no agent', async () => {
  const home = homeWith('');
  await startDaemon(home);
  expect((await runBelow(home, 'server/main.js', 'away 5m', true)).code).toBe(0);
  expect((await runBelow(home, 'node_modules/@qwen-code/qwen-code/cli.js', 'away 5m', true)).code).toBe(3);
});

const MAC = parsePsArguments(`  501 /opt/homebrew/bin/node /Users/me/Library/Application Support/fnm/bin/gemini --yolo
  502 node /Applications/Code.app/Contents/Resources/server-main.js --start
  503 node dist/index.js serve
`);
const WINDOWS = parseCimArguments(
  JSON.stringify([
    {
      ProcessId: 1,
      CommandLine:
        '"C:\\Program Files\\nodejs\\node.exe" "C:\\Users\\me\\npm\\node_modules\\@qwen-code\\qwen-code\\cli.js" -p',
    },
    { ProcessId: 2, CommandLine: 'C:\\code-server\\node.exe C:\\code-server\\out\\server-main.js' },
    { ProcessId: 3, CommandLine: null },
  ]),
);

test.each([
  ['macOS: a path with a space', MAC.get(501), 'gemini'],
  ['macOS: an editor’s server', MAC.get(502), null],
  ['macOS: a script in a folder that is not known', MAC.get(503), 'any'],
  ['Windows: Qwen', WINDOWS.get(1), 'qwen'],
  ['Windows: an editor’s server', WINDOWS.get(2), null],
  ['Windows: a command line that may not be read', WINDOWS.get(3), 'any'],
])('%s', (what, words, expected) => {
  const judged: JudgedProcess = {
    names: ['node'],
    words: words ?? null,
    cwd: null,
    variables: null,
    isSplit: what.startsWith('macOS'),
  };
  const found = agentAmong(agents, [{ names: ['zsh'], words: null, cwd: null, variables: null }, judged])?.name ?? null;
  if (expected === 'any')
    expect(found).not.toBe(null); // any that runs in Node
  else expect(found).toBe(expected);
});

test.runIf(process.platform !== 'win32')('the command lines of real processes', async () => {
  const lines = await commandLines(process.platform, [process.pid]);
  expect(lines.get(process.pid)?.join(' ')).toContain('node');
});
