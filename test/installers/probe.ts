// An agent made for these tests: the nested shape that most clients have, with a second file that switches events off.
import { join } from 'node:path';
import { backupRecordsIn } from '../../installers/files/backup-records.ts';
import type { InstallContext } from '../../installers/install.ts';
import { type Agent, type AgentSettings, defineAgent } from '../../src/model/agent/agent.ts';

const settings: AgentSettings = {
  user: ({ home }) => join(home, '.probe', 'settings.json'),
  project: join('.probe', 'settings.json'),
  hooksPath: ['hooks'],
  requiredKeys: {},
  shape: 'nested',
  timeoutUnit: 'seconds',
  override: {
    user: ({ home }) => join(home, '.probe', 'hooks.json'),
    hooksPath: [],
    project: join('.probe', 'hooks.json'),
  },
};

/** Four events, one of them since a later version of its client, one for the session record only. */
export const probe: Agent = defineAgent({
  name: 'probe',
  title: 'Probe',
  matches: () => false,
  parse: () => {
    throw new Error('not parsed here');
  },
  sessionFields: [],
  abnormalReasons: [],
  settings,
  events: [
    { name: 'Notification', role: 'notify', becomes: '' },
    { name: 'Stop', role: 'notify', becomes: '' },
    { name: 'SessionEnd', role: 'notify', becomes: '', timeout: 5 },
    { name: 'StopFailure', role: 'notify', becomes: '', since: '2.1.0' },
    { name: 'UserPromptSubmit', role: 'track', becomes: '' },
  ],
  stdoutFor: () => null,
  processNames: [],
  commandVariables: [],
  version: ['probe', '--version'],
  exitsWithoutEvent: false,
  docs: { seen: '', reasons: {}, cannot: [] },
});

/** The same with other settings. */
export function probeWith(other: Partial<AgentSettings>): Agent {
  return { ...probe, settings: { ...settings, ...other } };
}

/** The engine's tools with backups below a home, and a command line that names its version. */
export function probeTools(home: string, version = 'new'): InstallContext {
  return {
    command: (_agent, event) => `${version} belfry-hook --agent probe ${event?.name ?? ''}`,
    asker: 'file:///belfry/dist/belfry-ask.mjs',
    ask: (_agent, entry) => `${version} belfry-ask --agent probe ${entry.event}`,
    answer: { answer: 'keep', terminal: null },
    isOurs: (command) => command.includes('belfry-hook'),
    options: { records: backupRecordsIn(join(home, 'backups')), dryRun: false, newMode: 0o600 },
  };
}
