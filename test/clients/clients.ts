// The real clients: where npm has them, and how each is run once without its service.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HOOK } from '../support/programs.ts';

const execute = promisify(execFile);
const platform = `${process.platform}-${process.arch}`;
const MINUTES = 60_000;

/** A client and its one-shot run against a model server on this machine. */
export interface RealClient {
  readonly name: string;
  readonly title: string;
  /** The package with the program itself, for this platform. */
  readonly package: string;
  readonly version: string;
  /** The program below its package's folder. */
  readonly program: string;
  /** Settings file below HOME, and what stands in it before Belfry is installed. */
  readonly settings: string;
  readonly before: (modelUrl: string) => unknown;
  readonly env: (modelUrl: string) => Record<string, string>;
  readonly args: readonly string[];
  /** What the client is called with to install the plugin of the package. */
  readonly plugin: (folder: string) => readonly (readonly string[])[];
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
    plugin: (folder) => [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'install', 'belfry@belfry'],
    ],
    // Failure and end come at the same moment in either order; on a desktop a session's newest notification takes the place of the last.
    refused: /^payments: Claude( stopped: not signed in|'s session ended abnormally \(other\)) \[critical\]$/,
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
    plugin: (folder) => [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'install', 'belfry@droid'],
    ],
    // It has no event for it: the end of its session file says it.
    refused: /^payments: Droid stopped: not signed in \[critical\]$/,
    rewritesSettings: true,
  },
];

/** A folder for PATH with the client and the hook in it, or why it cannot be had. */
export async function obtain(client: RealClient, folder: string): Promise<{ path: string } | { reason: string }> {
  const installed = join(folder, 'package');
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{"private":true}\n');
  const what = `${client.package}@${client.version}`;
  try {
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefer-offline', what];
    await execute('npm', args, { cwd: installed, timeout: 5 * MINUTES });
    const path = join(folder, 'bin');
    mkdirSync(path);
    const program = join(installed, 'node_modules', client.package, client.program);
    symlinkSync(program, join(path, client.name));
    symlinkSync(HOOK, join(path, 'belfry-hook'));
    await execute(program, ['--version'], { timeout: MINUTES, env: { PATH: process.env['PATH'], HOME: folder } });
    return { path };
  } catch (error) {
    const text =
      error instanceof Error ? error.message.split('\n').filter(Boolean).slice(0, 3).join(' ') : String(error);
    return { reason: `${what} cannot be had here: ${text}` };
  }
}
