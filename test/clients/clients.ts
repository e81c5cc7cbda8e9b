// The real clients: where npm has them, and how each is run once without its service.
import type { Packaged } from './obtain.ts';

const platform = `${process.platform}-${process.arch}`;

/** A client and its one-shot run against a model server on this machine. */
export interface RealClient extends Packaged {
  readonly title: string;
  /** Settings file below HOME, and what stands in it before Belfry is installed. */
  readonly settings: string;
  readonly before: (modelUrl: string) => unknown;
  readonly env: (modelUrl: string) => Record<string, string>;
  readonly args: readonly string[];
  /** Title and urgency of what a desktop shows when the model's service refuses the key. */
  readonly refused: RegExp;
  /** Whether the client itself writes into its settings while it runs. */
  readonly rewritesSettings: boolean;
}

export const CLIENTS: readonly RealClient[] = [
  {
    name: 'claude',
    title: 'Claude',
    package: `@anthropic-ai/claude-code-${platform}`,
    version: '2.1.197',
    program: 'claude',
    settings: '.claude/settings.json',
    before: () => ({ cleanupPeriodDays: 30 }),
    env: (modelUrl) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'local-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
    }),
    args: ['-p', 'Run the tests'],
    refused: /^payments: Claude stopped: not signed in \[critical\]$/,
    rewritesSettings: false,
  },
  {
    name: 'droid',
    title: 'Droid',
    package: `@factory/cli-${platform}`,
    version: '0.225.2',
    program: 'bin/droid',
    settings: '.factory/settings.json',
    before: (modelUrl) => ({
      customModels: [
        {
          model: 'local',
          displayName: 'Local',
          baseUrl: modelUrl,
          apiKey: 'local-key',
          provider: 'anthropic',
          maxOutputTokens: 1000,
        },
      ],
    }),
    env: () => ({ FACTORY_API_KEY: 'fk-local' }),
    args: ['exec', '--model', 'custom:local', 'Run the tests'],
    // It has no event for it: the end of its session file says it.
    refused: /^payments: Droid stopped: not signed in \[critical\]$/,
    rewritesSettings: true,
  },
];
