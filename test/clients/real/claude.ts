// Claude Code.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScenarioClient, WANTED_FILE } from './client.ts';

const DAY = 86_400_000;

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

/** The version that goes on by itself after its five hours. */
export const claudeToday: ScenarioClient = { ...claude, version: '2.1.330' };

/** The same, which tries a request again as often as it does by itself. */
export const patient = (client: ScenarioClient): ScenarioClient => ({
  ...client,
  prepare: (place) => {
    const { CLAUDE_CODE_MAX_RETRIES: _none, ...env } = client.prepare(place);
    return env;
  },
});

/** The same with these settings. */
export const withSettings = (client: ScenarioClient, settings: object): ScenarioClient => ({
  ...client,
  prepare: (place) => {
    const env = client.prepare(place);
    writeFileSync(join(place.home, '.claude', 'settings.json'), JSON.stringify(settings));
    return env;
  },
});

/** The same, signed in as a subscriber of claude.ai, with a token that nobody has given out. */
export const subscribed = (client: ScenarioClient): ScenarioClient => ({
  ...client,
  prepare: (place) => {
    const { ANTHROPIC_API_KEY: _key, ...env } = client.prepare(place);
    const login = {
      accessToken: 'sk-ant-oat01-local',
      refreshToken: 'sk-ant-ort01-local',
      expiresAt: Date.now() + 30 * DAY,
      scopes: ['user:inference', 'user:profile', 'user:sessions:claude_code'],
      subscriptionType: 'max',
    };
    writeFileSync(join(place.home, '.claude', '.credentials.json'), JSON.stringify({ claudeAiOauth: login }));
    return env;
  },
});
