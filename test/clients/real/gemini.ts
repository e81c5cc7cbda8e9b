// Gemini CLI.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScenarioClient, WANTED_FILE } from './client.ts';

const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
};
/** With a model by name it asks nobody which one to use. */
const MODEL = ['--model', 'gemini-2.5-flash'];

export const gemini: ScenarioClient = {
  name: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'bundle/gemini.js',
  prepare: ({ home, model }) => {
    mkdirSync(join(home, '.gemini'));
    writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(SETTINGS));
    return { GEMINI_API_KEY: 'local-key', GOOGLE_GEMINI_BASE_URL: model };
  },
  start: MODEL,
  ready: /Type your message/,
  once: (prompt) => [...MODEL, '--prompt', prompt],
  touch: { name: 'run_shell_command', input: { command: `touch ${WANTED_FILE}`, description: 'Create a file' } },
  delegate: (prompt) => ({ name: 'invoke_agent', input: { agent_name: 'generalist', prompt } }),
  turnEndsMeanwhile: false,
  asks: /Allow execution of/,
  allow: 'Enter',
  interrupt: ['Escape'],
  leave: '/quit',
};
