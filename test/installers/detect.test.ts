// Which agents count as being on a machine.
import { expect, test } from 'vitest';
import { detectAgents } from '../../installers/detect-agents.ts';
import { agents } from '../../src/agents/index.ts';
import { tree } from '../support/fresh-home.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';

/** Names of those that are found where only these paths are. */
const found = (...there: readonly string[]): readonly string[] => {
  const facts = {
    exists: (path: string) => there.includes(path),
    isExecutable: () => false,
    list: () => [],
    text: () => null,
  };
  return detectAgents(agents, { home: '/home/dev', env: { PATH: '' }, platform: 'linux', facts }).map(
    ({ name }) => name,
  );
};

test.each([
  [['/home/dev/.claude'], ['claude']],
  [['/home/dev/.gemini'], ['gemini']],
  [
    ['/home/dev/.gemini', '/home/dev/.gemini/config'],
    ['gemini', 'antigravity'],
  ],
  [
    ['/home/dev/.codex', '/home/dev/.qwen'],
    ['codex', 'qwen'],
  ],
  [['/home/dev'], []],
])('of %j', (there, names) => {
  expect([...found(...there)].sort()).toEqual([...names].sort());
});

test.each([['install', 'claude'], ['uninstall'], ['setup', '--yes', '--no-service'], ['doctor']])(
  'an empty HOME is refused by `belfry %s`, and nothing is written where it runs',
  async (...args) => {
    const [home, cwd] = [temporaryFolder(), temporaryFolder()];
    const done = await belfry(home, args, { env: { HOME: '' }, cwd });
    expect(done).toMatchObject({ code: 2, stderr: expect.stringMatching(/^belfry \w+: HOME is empty: set it /) });
    expect([tree(home), tree(cwd)]).toEqual([[], []]);
  },
);
