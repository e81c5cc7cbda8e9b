// Whether a client will run what is installed, read from its own files.
import { expect, it } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';

const FILE = '/home/x/.codex/hooks.json';
const SETTINGS = JSON.stringify({
  hooks: {
    Stop: [
      {
        hooks: [
          { type: 'command', command: 'someone-else' },
          { type: 'command', command: '/opt/belfry-hook' },
        ],
      },
    ],
    SubagentStop: [{ hooks: [{ type: 'command', command: '/opt/belfry-hook' }] }],
  },
});
const state = (key: string, rest = 'trusted_hash = "sha256:00"') => `[hooks.state."${FILE}:${key}"]\n${rest}\n`;

it.each([
  ['nothing installed', null, null, null],
  ['no consent yet', SETTINGS, null, false],
  ['consent to both', SETTINGS, state('stop:0:1') + state('subagent_stop:0:0'), true],
  ['consent to one', SETTINGS, state('stop:0:1'), false],
  ['consent to a neighbour', SETTINGS, state('stop:0:0') + state('subagent_stop:0:0'), false],
  [
    'switched off',
    SETTINGS,
    state('stop:0:1') + state('subagent_stop:0:0', 'trusted_hash = "x"\nenabled = false'),
    false,
  ],
  ['a broken config', SETTINGS, '[hooks', false],
])('Codex with %s: trusted %s', (_what, settings, config, trusted) => {
  const files: Record<string, string | null> = { [FILE]: settings, '/home/x/.codex/config.toml': config };
  const trust = agentByName('codex')?.trust?.({
    home: '/home/x',
    settingsFile: FILE,
    read: (path) => files[path] ?? null,
  });
  expect(trust?.trusted ?? null).toBe(trusted);
  if (trust?.trusted === false) expect(trust.fix).toContain('Trust all');
});

it.each([
  [null, null],
  ['{"hooks":{}}', null],
  ['{"disableAllHooks":true} // off', false],
  ['{"disableAllHooks":false}', null],
  ['not json', null],
])('a switch for all hooks: %j is trusted %s', (settings, trusted) => {
  for (const name of ['claude', 'qwen']) {
    const trust = agentByName(name)?.trust?.({ home: '/home/x', settingsFile: '/s.json', read: () => settings });
    expect(trust?.trusted ?? null, name).toBe(trusted);
  }
});
