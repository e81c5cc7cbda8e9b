// Settings that allow no answers from elsewhere: said where answers are installed, set up and checked, and offered nowhere.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answersSwitchedOff } from '../../src/cli/commands/answer/switched-off.ts';
import { readConfig } from '../../src/config/load.ts';
import { freshHome } from '../support/fresh-home.ts';
import { configFiles } from '../support/machine-wide.ts';
import { belfry } from '../support/programs.ts';

const OFF = 'answering from elsewhere is switched off';

test.each([
  ['own settings', '[answer]\nkinds = []\n', null, `${OFF}: \`kinds\` of [answer] is an empty list`],
  [
    'locked ones',
    null,
    '[answer]\nkinds = []\n[locked]\nkeys = ["answer"]\n',
    `${OFF} for this machine: \`kinds\` of [answer] is an empty list`,
  ],
  ['none', null, null, null],
])('%s', async (_what, own, machine, words) => {
  const loaded = await readConfig(configFiles(own, machine));
  expect(loaded.ok && answersSwitchedOff(loaded.config, loaded.machine.config)).toBe(words);
});

test('install, setup and doctor', async () => {
  const { home, env } = freshHome();
  mkdirSync(join(home, '.config', 'belfry'), { recursive: true });
  writeFileSync(join(home, '.config', 'belfry', 'config.toml'), '[answer]\nkinds = []\n');
  const installed = await belfry(home, ['install', 'claude', '--answer'], { env });
  expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining(`\n  ${OFF}`), stderr: '' });
  expect(installed.stdout).not.toContain('also from elsewhere');
  const forScripts = await belfry(home, ['install', 'claude', '--answer', '--json'], { env });
  expect(forScripts).toMatchObject({ code: 0, stderr: expect.stringContaining(OFF) });
  const setUp = await belfry(home, ['setup', '--yes', '--no-service'], { env });
  expect(setUp.stdout).toMatch(new RegExp(`^Answers +${OFF}`, 'm'));
  const { stdout } = await belfry(home, ['doctor'], { env });
  expect(stdout).not.toContain('can be answered from elsewhere');
  expect(stdout).toMatch(/^ok +agents +Claude: installed in .*, answers from elsewhere are switched off,/m);
});
