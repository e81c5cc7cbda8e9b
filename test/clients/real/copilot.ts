// GitHub Copilot CLI, with a model provider of one's own.
import { until } from '../../support/wait.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScenarioClient, WANTED_FILE } from './client.ts';

export const copilot: ScenarioClient = {
  name: 'copilot',
  package: `@github/copilot-${process.platform}-${process.arch}`,
  version: '1.0.102',
  program: 'copilot',
  prepare: ({ home, project, model }) => {
    mkdirSync(join(home, '.copilot'));
    writeFileSync(
      join(home, '.copilot', 'config.json'),
      JSON.stringify({ trusted_folders: [project], banner: 'never' }),
    );
    return {
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_API_KEY: 'local-key',
      COPILOT_MODEL: 'gpt-4.1',
    };
  },
  start: [],
  ready: /Interactive · Manual Approval/,
  once: (prompt) => ['--allow-all-tools', '--prompt', prompt],
  touch: { name: 'bash', input: { command: `touch ${WANTED_FILE}`, description: 'Create a file' } },
  delegate: (prompt) => ({
    name: 'task',
    input: { name: 'reviewer', description: 'Slow work', prompt, agent_type: 'explore', mode: 'background' },
  }),
  turnEndsMeanwhile: true,
  asks: /Do you want to run this command/,
  allow: 'Enter',
  interrupt: ['Escape', 'Escape'],
  leave: '/exit',
};

/** As somebody starts it who wants to be asked elsewhere, and says yes to the extension. */
export const askedCopilot: ScenarioClient = {
  ...copilot,
  start: ['--experimental'],
  once: (prompt) => ['--experimental', ...copilot.once(prompt)],
  begin: async (terminal) => {
    await terminal.shows(/elevated permissions/);
    await terminal.keys('Down', 'Enter'); // always here, so that a one-shot run has it too
    await until(async () => !(await terminal.screen()).includes('elevated permissions'), 'the question to be gone');
  },
};
