// Qwen Code.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScenarioClient, WANTED_FILE } from './client.ts';

const SETTINGS = {
  security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
};

export const qwen: ScenarioClient = {
  name: 'qwen',
  package: '@qwen-code/qwen-code',
  version: '0.15.10',
  program: 'cli.js',
  prepare: ({ home, model }) => {
    mkdirSync(join(home, '.qwen'));
    writeFileSync(join(home, '.qwen', 'settings.json'), JSON.stringify(SETTINGS));
    // It asks the proxy even for addresses of this machine.
    const proxies = { HTTP_PROXY: '', HTTPS_PROXY: '' };
    return {
      OPENAI_API_KEY: 'local-key',
      OPENAI_BASE_URL: `${model}/v1`,
      OPENAI_MODEL: 'qwen3-coder-plus',
      ...proxies,
    };
  },
  start: [],
  ready: /Type your message[\s\S]*\? for shortcuts/,
  once: (prompt) => ['--prompt', prompt],
  touch: {
    name: 'run_shell_command',
    input: { command: `touch ${WANTED_FILE}`, description: 'Create a file', is_background: false },
  },
  delegate: (prompt) => ({
    name: 'agent',
    input: { description: 'Slow work', prompt, subagent_type: 'general-purpose', run_in_background: true },
  }),
  turnEndsMeanwhile: true,
  asks: /Allow execution of/,
  allow: 'Enter',
  interrupt: ['Escape'],
  leave: '/quit',
};
