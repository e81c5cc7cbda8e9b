// Hooks that run for some tools only: which, as installed, and again where an older or changed entry says otherwise.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { installHooks } from '../../installers/install.ts';
import { agentByName, agents } from '../../src/agents/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { probeTools } from './probe.ts';

interface Group {
  readonly matcher?: string;
  readonly hooks: readonly { readonly command: string }[];
}
const FOREIGN: Group = { matcher: 'Bash', hooks: [{ command: 'mine' }] };

/** The groups of each event after an installation over `before`. */
async function installed(name: string, before: Record<string, readonly Group[]>): Promise<Record<string, Group[]>> {
  const home = temporaryFolder();
  const file = join(home, 'settings', 'hooks.json');
  mkdirSync(dirname(file));
  writeFileSync(file, JSON.stringify({ hooks: before }));
  const agent = agentByName(name);
  if (!agent) throw new Error(`no agent ${name}`);
  await installHooks(
    agent,
    { main: { path: file, at: ['hooks'] }, override: null },
    agent.events,
    probeTools(home, 'older'),
  );
  return (JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, Group[]> }).hooks;
}

const nested = agents.filter(({ settings }) => settings?.shape === 'nested');

test.each(nested.map(({ name }) => name))('%s: each event for the tools that it says, else for all', async (name) => {
  const groups = await installed(name, {});
  for (const event of agentByName(name)?.events ?? [])
    expect(
      groups[event.name]?.map(({ matcher }) => matcher),
      event.name,
    ).toEqual([event.matcher]);
});

const OURS = { command: 'older belfry-hook --agent codex' };

test.each<[name: string, before: readonly Group[], expected: readonly (string | undefined)[]]>([
  ['none', [], ['ask']],
  ['an entry for every tool', [{ hooks: [OURS] }], ['ask']],
  ['an entry for other tools', [{ matcher: 'Bash', hooks: [OURS] }], ['ask']],
  ['one in a group with another program', [{ matcher: 'Bash', hooks: [OURS, ...FOREIGN.hooks] }], ['Bash', 'ask']],
  ['another program alone', [FOREIGN], ['Bash', 'ask']],
])('Codex before: %s', async (_name, before, expected) => {
  const asks = agentByName('codex')?.events.find(({ name }) => name === 'PreToolUse')?.matcher ?? '';
  const { PreToolUse = [] } = await installed('codex', { PreToolUse: before });
  expect(PreToolUse.map(({ matcher }) => (matcher === asks ? 'ask' : matcher))).toEqual(expected);
  const ours = PreToolUse.filter(({ matcher }) => matcher === asks).flatMap(({ hooks }) => hooks);
  expect(ours).toHaveLength(1);
  for (const tool of ['request_user_input', 'ask_user_question']) expect(tool).toMatch(new RegExp(`^(?:${asks})$`));
  for (const tool of ['shell', 'apply_patch', 'update_plan']) expect(tool).not.toMatch(new RegExp(asks));
});
