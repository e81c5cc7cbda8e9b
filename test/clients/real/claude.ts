// Claude Code.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScenarioClient, WANTED_FILE } from './client.ts';

export const claude: ScenarioClient = {
  name: 'claude',
  package: `@anthropic-ai/claude-code-${process.platform}-${process.arch}`,
  version: '2.1.197',
  program: 'claude',
  prepare: ({ home, project, model }) => {
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude', 'settings.json'), '{}\n');
    const state = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      customApiKeyResponses: { approved: ['local-key'], rejected: [] },
    };
    writeFileSync(join(home, '.claude.json'), JSON.stringify(state));
    return {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'local-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
    };
  },
  start: [],
  ready: /^\s*[❯>]\s/m,
  once: (prompt) => ['-p', prompt],
  touch: { name: 'Bash', input: { command: `touch ${WANTED_FILE}`, description: 'Create a file' } },
  delegate: (prompt) => ({
    name: 'Agent',
    input: { description: 'Slow work', prompt, subagent_type: 'general-purpose', run_in_background: true },
  }),
  turnEndsMeanwhile: true,
  asks: /Do you want to proceed\?/,
  allow: 'Enter',
  interrupt: ['Escape'],
  leave: '/exit',
};
