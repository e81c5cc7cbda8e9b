// What `setup` says that it did: a reason that counts for two things is given once.
import { expect, test } from 'vitest';
import { printSummary, type SetupResult } from '../../../../src/cli/commands/setup/setup-summary.ts';
import { pathsBelow, temporaryFolder } from '../../../support/home.ts';

const REASON = '`claude` is not on your PATH';

function summary(notes: readonly string[]): string {
  const lines: string[] = [];
  const claude = { agent: 'claude', title: 'Claude', version: null, events: [], files: [], answerable: false, notes };
  const text = `its version is not known (${REASON}), and it takes 2 or later`;
  const result: SetupResult = {
    config: 'created',
    agents: [claude],
    obstacles: new Map([['claude', { reason: REASON, text, todo: 'install it' }]]),
    carriers: { named: [], others: [], off: null },
    records: [],
    service: null,
    secrets: [],
    variables: [],
    test: [{ channel: 'desk', ok: true, error: null }],
  };
  printSummary(pathsBelow(temporaryFolder()), result, {
    tty: false,
    columns: 80,
    line: (line) => void lines.push(line),
  });
  return lines.join('\n');
}

test('why a version is not known stands below the agents, else with the answers', () => {
  const [said, alone] = [summary([`${REASON}, so there is no hook for StopFailure`]), summary([])];
  for (const text of [said, alone]) expect(text.split(REASON)).toHaveLength(2);
  expect(said).toContain('yet: its version is not known, and it takes 2 or later; install it');
  expect(alone).toContain(`yet: its version is not known (${REASON}), and it takes 2 or later; install it`);
});
