// Codex, as it starts by itself: its session lives in a background server of its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, type ScenarioClient, WANTED_FILE } from './client.ts';

const IMPATIENT = 'request_max_retries = 0\nstream_max_retries = 0\n';
const settings = (model: string, project: string, retries: string): string => `
model = "gpt-5.1-codex"
model_provider = "local"
check_for_update_on_startup = false
# Words that come all at once are a line that a person types, not a paste in which Enter is a line's end.
disable_paste_burst = true

[features]
default_mode_request_user_input = true

[model_providers.local]
name = "local"
base_url = "${model}/v1"
wire_api = "responses"
${retries}
[projects."${project}"]
trust_level = "trusted"
`;
function prepared({ home, project, model }: Place, retries: string): Readonly<Record<string, string>> {
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.codex', 'config.toml'), settings(model, project, retries));
  return {};
}

const TARGETS: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};
const platform = `${process.platform}-${process.arch}`;

export const codex: ScenarioClient = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  program: `../codex-${platform}/vendor/${TARGETS[platform] ?? platform}/bin/codex`,
  prepare: (place) => prepared(place, IMPATIENT),
  start: [],
  ready: /› Ask Codex|› \S/,
  begin: async (terminal) => {
    await terminal.shows('Hooks need review');
    await terminal.press('2', (screen) => screen.includes('› 2. Trust all'));
    await terminal.press('Enter', (screen) => screen.includes('Ask Codex to do anything'));
  },
  once: (prompt) => ['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', prompt],
  touch: {
    name: 'exec_command',
    input: {
      cmd: `touch ${WANTED_FILE}`,
      sandbox_permissions: 'require_escalated',
      justification: 'Create the file?',
    },
  },
  delegate: (prompt) => ({ name: 'spawn_agent', namespace: 'multi_agent_v1', input: { message: prompt } }),
  turnEndsMeanwhile: true,
  asks: /Would you like to run the following command/,
  allow: 'y',
  interrupt: ['Escape'],
  leave: '/quit',
};

/** The same, which tries a request again as often as it does by itself. */
export const patientCodex: ScenarioClient = { ...codex, prepare: (place) => prepared(place, '') };
