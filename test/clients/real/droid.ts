// Droid, with a model of one's own, and without its service.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScenarioClient, WANTED_FILE } from './client.ts';

const settings = (baseUrl: string) => ({
  customModels: [
    {
      model: 'local',
      displayName: 'Local',
      baseUrl,
      apiKey: 'local-key',
      provider: 'anthropic',
      maxOutputTokens: 1000,
    },
  ],
  sessionDefaultSettings: { model: 'custom:local' },
});

/**
 * Droid's own mode for machines without a network. It skips the sign-in: Droid takes an account that is built in instead of asking
 * its service who you are, refuses every request to that service, and uses its default feature flags. Its terminal does not start
 * offline without it. The test alone sets it; hooks and session files are the same as without.
 */
const AIRGAP = { FACTORY_AIRGAP_ENABLED: 'true' };

export const droid: ScenarioClient = {
  name: 'droid',
  package: `@factory/cli-${process.platform}-${process.arch}`,
  version: '0.225.2',
  program: 'bin/droid',
  prepare: ({ home, model }) => {
    mkdirSync(join(home, '.factory'));
    writeFileSync(join(home, '.factory', 'settings.json'), JSON.stringify(settings(model)));
    return { FACTORY_API_KEY: 'fk-local', ...AIRGAP };
  },
  start: [],
  ready: /\? for help/,
  begin: async (terminal) => {
    await terminal.shows('Trust this folder?');
    await terminal.keys('Enter');
  },
  once: (prompt) => ['exec', '--model', 'custom:local', prompt],
  touch: {
    name: 'Execute',
    input: {
      summary: 'Create the notes file',
      command: `touch ${WANTED_FILE}`,
      timeout: 60,
      riskLevel: 'medium',
      riskLevelReason: 'It makes one file.',
    },
  },
  delegate: (prompt) => ({
    name: 'Task',
    input: { subagent_type: 'worker', description: 'Slow work', prompt, complexity: 'light' },
  }),
  turnEndsMeanwhile: true,
  asks: /Yes, allow/,
  allow: 'Enter',
  interrupt: ['Escape'],
  leave: '/quit',
};
