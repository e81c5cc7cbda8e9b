// opencode.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScenarioClient, WANTED_FILE } from './client.ts';

const VERSION = '1.18.33';
const PLUGIN = { '@opencode-ai/plugin': VERSION };
const settings = (model: string) => ({
  autoupdate: false,
  share: 'disabled',
  model: 'local/gpt-4.1',
  small_model: 'local/gpt-4.1',
  permission: { bash: 'ask' },
  provider: {
    local: {
      npm: '@ai-sdk/openai-compatible',
      name: 'local',
      options: { baseURL: `${model}/v1`, apiKey: 'local-key' },
      models: { 'gpt-4.1': { name: 'gpt-4.1' } },
    },
  },
});

export const opencode: ScenarioClient = {
  name: 'opencode',
  package: `opencode-${process.platform}-${process.arch}`,
  version: VERSION,
  program: 'bin/opencode',
  prepare: ({ home, model }) => {
    const folder = join(home, '.config', 'opencode');
    // With these it takes its plugin package as installed; without, it waits for the network at its first start.
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: PLUGIN }));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': { dependencies: PLUGIN } } }));
    writeFileSync(join(folder, 'opencode.json'), JSON.stringify(settings(model)));
    return {
      npm_config_fetch_retries: '0',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    };
  },
  start: [],
  ready: /Ask anything/,
  once: (prompt) => ['run', prompt],
  touch: { name: 'bash', input: { command: `touch ${WANTED_FILE}`, description: 'Create a file' } },
  delegate: (prompt) => ({ name: 'task', input: { description: 'Slow work', prompt, subagent_type: 'general' } }),
  turnEndsMeanwhile: false,
  asks: /Permission required/,
  allow: 'Enter',
  interrupt: ['Escape', 'Escape'],
  leave: '/exit',
};
