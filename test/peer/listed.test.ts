// Where there is no /proc: what lsof and ps of macOS print, and who is found in it.
import { expect, test } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import { parsePsArguments, parsePsEnvironments } from '../../src/lib/programs/processes.ts';
import { agentAmong } from '../../src/peer/agent-of-process.ts';
import { holders } from '../../src/peer/held-file.ts';

test('lsof -F p: each process that has the file open, and nothing else that it prints', () => {
  expect(holders('p501\nf23\np1402\nf7\n')).toEqual([501, 1402]);
  expect(holders('')).toEqual([]);
  expect(holders('lsof: WARNING: can’t stat() fuse file system\np\np12x\nx77\n p9\n')).toEqual([]);
});

const PLAIN = ['  702 node /opt/homebrew/bin/claude --resume', '  733 /bin/zsh -c belfry answer Q-1 allow', ''].join(
  '\n',
);
const WITH_ENVIRONMENT = [
  '  702 node /opt/homebrew/bin/claude --resume PATH=/opt/homebrew/bin:/usr/bin HOME=/Users/ada',
  '  733 /bin/zsh -c belfry answer Q-1 allow HOME=/Users/ada CLAUDECODE=1 NOTE=two words',
  '  801 vim CLAUDECODE=1',
  '',
].join('\n');

test('ps -E: the environment is what stands behind the command line that ps prints without it', () => {
  const found = parsePsEnvironments(WITH_ENVIRONMENT, PLAIN);
  expect(found.get(702)).toEqual(['PATH=/opt/homebrew/bin:/usr/bin', 'HOME=/Users/ada']);
  expect(found.get(733)).toEqual(['HOME=/Users/ada', 'CLAUDECODE=1', 'NOTE=two', 'words']);
  // Started between the two lists: its command line is not known, so nothing of it counts as its environment.
  expect(found.has(801)).toBe(false);
});

const judged = (name: string, words: readonly string[] | null, variables: readonly string[] | null) => ({
  names: [name],
  words,
  cwd: null,
  isSplit: true,
  variables,
});

test('an agent is found by the script that node runs, or by the variable that it sets', () => {
  const lines = parsePsArguments(PLAIN);
  const variables = parsePsEnvironments(WITH_ENVIRONMENT, PLAIN);
  const script = judged('node', lines.get(702) ?? null, null);
  expect(agentAmong(agents, [script])).toEqual({ name: 'claude', variable: null });
  const shell = judged('zsh', lines.get(733) ?? null, variables.get(733) ?? null);
  expect(agentAmong(agents, [shell])).toEqual({ name: 'claude', variable: 'CLAUDECODE' });
});

test('a word of the command line that reads like the variable shows no agent', () => {
  const plain = '  900 /bin/zsh -c env CLAUDECODE=1 true\n';
  const variables = parsePsEnvironments('  900 /bin/zsh -c env CLAUDECODE=1 true HOME=/Users/ada\n', plain);
  expect(agentAmong(agents, [judged('zsh', null, variables.get(900) ?? null)])).toBeNull();
});
