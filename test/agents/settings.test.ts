// Where each client keeps its hooks, for users, projects and moved folders; and the module that one client loads.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentByName, agents, agentsByUse } from '../../src/agents/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';

const at = (env: Record<string, string>) => ({ home: '/h', env, platform: 'linux' as const });

it.each([
  ['claude', {}, '/h/.claude/settings.json', '.claude/settings.json', 'seconds'],
  ['claude', { CLAUDE_CONFIG_DIR: '/c' }, '/c/settings.json', '.claude/settings.json', 'seconds'],
  ['droid', {}, '/h/.factory/settings.json', '.factory/settings.json', 'seconds'],
  ['codex', {}, '/h/.codex/hooks.json', '.codex/hooks.json', 'seconds'],
  ['codex', { CODEX_HOME: '/c' }, '/c/hooks.json', '.codex/hooks.json', 'seconds'],
  ['gemini', {}, '/h/.gemini/settings.json', '.gemini/settings.json', 'milliseconds'],
  ['gemini', { GEMINI_CLI_HOME: '/g' }, '/g/.gemini/settings.json', '.gemini/settings.json', 'milliseconds'],
  ['copilot', { COPILOT_HOME: '/c' }, '/c/hooks/belfry.json', '.github/hooks/belfry.json', 'seconds'],
  ['qwen', {}, '/h/.qwen/settings.json', '.qwen/settings.json', 'milliseconds'],
  ['cursor', {}, '/h/.cursor/hooks.json', '.cursor/hooks.json', 'seconds'],
  ['antigravity', {}, '/h/.gemini/config/hooks.json', '.agents/hooks.json', 'seconds'],
  ['copilot', {}, '/h/.copilot/hooks/belfry.json', '.github/hooks/belfry.json', 'seconds'],
  ['opencode', {}, '/h/.config/opencode/plugin/belfry.js', '.opencode/plugin/belfry.js', 'seconds'],
  ['opencode', { XDG_CONFIG_HOME: '/x' }, '/x/opencode/plugin/belfry.js', '.opencode/plugin/belfry.js', 'seconds'],
])('%s with %j keeps its hooks in %s', (name, env, user, project, unit) => {
  const settings = agentByName(name)?.settings;
  expect(settings?.user(at(env))).toBe(user);
  expect(settings).toMatchObject({ project, timeoutUnit: unit });
});

it('asks for no version of the four events that every client of the protocol knows', () => {
  for (const name of ['claude', 'droid']) {
    const events = agentByName(name)?.events ?? [];
    for (const event of ['Notification', 'Stop', 'SubagentStop', 'SessionEnd'])
      expect(
        events.find((e) => e.name === event),
        `${name} ${event}`,
      ).toMatchObject({ role: 'notify' });
  }
  expect(agentByName('claude')?.events.filter((e) => e.role !== 'signal' && e.since === undefined)).toHaveLength(4);
});

it('answers only where a client asks for it', () => {
  const answers = agents.flatMap((a) =>
    a.events.filter((e) => a.stdoutFor(e.name) !== null).map((e) => `${a.name} ${e.name}`),
  );
  expect(answers).toEqual(['cursor stop', 'antigravity Stop', 'antigravity SessionStart', 'antigravity PreInvocation']);
});

it('hands the wanted bus events to the hook from the module it writes, and survives a command that is gone', async () => {
  const folder = temporaryFolder();
  // One file a run: written under another name and renamed, so that none is seen half.
  const command = `cd '${folder}' && cat > part.$$ && mv part.$$ got.$$`;
  const bus = [
    { id: 'evt_1', type: 'session.created', properties: { sessionID: 's', info: { title: '"quoted" $(true)' } } },
    { id: 'evt_2', type: 'session.status', properties: { sessionID: 's', status: { type: 'busy' } } },
    { id: 'evt_3', type: 'session.status', properties: { sessionID: 's', status: { type: 'busy' } } },
    { id: 'evt_4', type: 'message.updated', properties: { sessionID: 's' } },
    { id: 'evt_5', type: 'session.status', properties: { sessionID: 's', status: { type: 'idle' } } },
    { id: 'evt_6', type: 'session.idle', properties: { sessionID: 's' } },
    { id: 'evt_7', type: 'session.status', properties: { sessionID: 's', status: { type: 'busy' } } },
    { id: 'evt_8', type: 'session.status' },
    null,
  ];
  const run = (name: string, text: string) => {
    writeFileSync(join(folder, `${name}.mjs`), text);
    writeFileSync(
      join(folder, `${name}-client.mjs`),
      `import { Belfry } from './${name}.mjs';
const plugin = await Belfry({ directory: ${JSON.stringify(folder)} });
for (const event of ${JSON.stringify(bus)}) await plugin.event({ event });
await plugin.event({});`,
    );
    return spawnSync(process.execPath, [join(folder, `${name}-client.mjs`)], { encoding: 'utf8' });
  };
  const module = agentByName('opencode')?.settings?.module;
  if (!module) throw new Error('no module');
  expect(run('works', module(command))).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const expected = ['evt_1', 'evt_2', 'evt_6', 'evt_7'];
  const ids = await until(() => {
    const got = readdirSync(folder).filter((file) => file.startsWith('got.'));
    const events = got.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as { id: string });
    return events.length >= expected.length && events.map((event) => event.id).sort();
  }, 'the hook to have been handed all events');
  expect(ids).toEqual(expected);
  expect(run('gone', module('/nowhere/belfry-hook'))).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

it('people are shown every agent, what most of them use first', () => {
  expect([...agentsByUse].sort(byName)).toEqual([...agents].sort(byName));
  expect(agentsByUse[0]?.name).toBe('claude');
});

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => a.name.localeCompare(b.name);
