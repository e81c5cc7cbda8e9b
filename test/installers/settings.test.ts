// Every shape of settings file: install, again, upgrade, uninstall; with the file changed by somebody in between, too.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { installHooks, uninstallHooks } from '../../installers/install.ts';
import type { Agent } from '../../src/model/agent/agent.ts';
import { temporaryFolder } from '../support/home.ts';
import { probe, probeTools } from './probe.ts';
import { SHAPES } from './shapes.ts';

function prepare(before: string | Buffer | null): { home: string; file: string; agent: Agent } {
  const home = temporaryFolder();
  const file = join(home, '.probe', 'settings.json');
  if (before !== null) {
    mkdirSync(dirname(file));
    writeFileSync(file, before);
  }
  return { home, file, agent: probe };
}

const bytes = (file: string): Buffer | null => (existsSync(file) ? readFileSync(file) : null);
/** Vitest compares megabytes slowly. */
const same = (a: Buffer | null, b: Buffer | string | null): boolean =>
  a === null || b === null ? a === b : a.equals(Buffer.from(b));
const places = (file: string) => ({ main: { path: file, at: ['hooks'] }, override: null });

describe.each(SHAPES.filter((shape) => !shape.refused))('$name', ({ before, keeps }) => {
  test('install, again, upgrade, uninstall', async () => {
    const { home, file, agent } = prepare(before);
    const first = await installHooks(agent, places(file), agent.events, probeTools(home, 'older'));
    expect(first[0]?.action).toBe(before === null ? 'created' : 'changed');
    const installed = bytes(file);
    const text = installed?.toString() ?? '';
    for (const kept of keeps ?? []) expect(text).toContain(kept);
    expect(ours(file)).toEqual(
      agent.events.map((event) => `${event.name}: older belfry-hook --agent probe ${event.name}`).sort(),
    );

    const second = await installHooks(agent, places(file), agent.events, probeTools(home, 'older'));
    expect(second[0]?.action).toBe('unchanged');
    expect(same(bytes(file), installed)).toBe(true);

    await installHooks(agent, places(file), agent.events, probeTools(home));
    expect(ours(file)).toEqual(
      agent.events.map((event) => `${event.name}: new belfry-hook --agent probe ${event.name}`).sort(),
    );
    expect(bytes(file)?.length).toBe((installed?.length ?? 0) - agent.events.length * 2);

    await uninstallHooks(agent, places(file), probeTools(home));
    const clean = before === null || !before.toString().includes('belfry-hook');
    if (clean) expect(same(bytes(file), before)).toBe(true);
    else expect(ours(file)).toEqual([]);
    if (before === null) expect(existsSync(dirname(file))).toBe(false);
    expect(readdirSync(join(home, 'backups'))).toEqual([]);
  });
});

test('an install of before gains the entries of new events in place, once each', async () => {
  const { home, file, agent } = prepare(
    '{\n  // mine\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "mine" }] }] }\n}\n',
  );
  await installHooks(agent, places(file), agent.events.slice(0, 2), probeTools(home, 'older'));
  expect(ours(file)).toHaveLength(2);
  const [result] = await installHooks(agent, places(file), agent.events, probeTools(home));
  expect(result?.action).toBe('changed');
  expect(ours(file)).toEqual(
    agent.events.map((event) => `${event.name}: new belfry-hook --agent probe ${event.name}`).sort(),
  );
  const text = bytes(file)?.toString() ?? '';
  expect(text).toContain('// mine');
  expect(text).toContain('"command": "mine"');
  expect((await installHooks(agent, places(file), agent.events, probeTools(home)))[0]?.action).toBe('unchanged');
});

// The large file shows its time above; here it would show nothing new.
const small = SHAPES.filter((shape) => !shape.refused && (shape.before?.length ?? 0) < 1_000_000);

describe.each(small)('$name', ({ before }) => {
  test('somebody changes the file before the uninstallation', async () => {
    const { home, file, agent } = prepare(before);
    await installHooks(agent, places(file), agent.events, probeTools(home));
    const text = bytes(file)?.toString() ?? '';
    const brace = text.indexOf('{');
    writeFileSync(file, `${text.slice(0, brace)}{"later": true,${text.slice(brace + 1)}`);
    await uninstallHooks(agent, places(file), probeTools(home));
    expect(ours(file)).toEqual([]);
    const wanted = { ...withoutOurs(before), later: true };
    expect(value(file)).toEqual(wanted);
  });
});

describe.each(SHAPES.filter((shape) => shape.refused))('$name', ({ before, refused }) => {
  test('is refused and left alone', async () => {
    const { home, file, agent } = prepare(before);
    await expect(installHooks(agent, places(file), agent.events, probeTools(home))).rejects.toThrow(refused);
    expect(same(bytes(file), before)).toBe(true);
    expect(readdirSync(dirname(file))).toEqual(['settings.json']);
  });
});

type Hooks = Record<string, unknown>;

function value(file: string): Hooks {
  return parse((bytes(file)?.toString() ?? '{}').replace('\uFEFF', ''), [], { allowTrailingComma: true }) as Hooks;
}

/** "event: command" of each of our entries that the client sees. */
function ours(file: string): string[] {
  const hooks = (value(file)?.['hooks'] ?? {}) as Record<string, { hooks?: { command?: string }[] }[]>;
  return Object.entries(hooks)
    .flatMap(([event, groups]) =>
      groups.flatMap((group) =>
        (Array.isArray(group?.hooks) ? group.hooks : []).map((entry) => `${event}: ${entry?.command}`),
      ),
    )
    .filter((line) => line.includes('belfry-hook'))
    .sort();
}

/** What a shape means without our entries and without lists and objects they leave empty. */
function withoutOurs(before: string | Buffer | null): Hooks {
  const all = (parse((before?.toString() || '{}').replace('\uFEFF', '') || '{}', [], { allowTrailingComma: true }) ??
    {}) as Hooks;
  const hooks = (all['hooks'] ?? {}) as Record<string, { hooks?: unknown }[]>;
  const kept = Object.entries(hooks).map(([event, groups]) => [event, groups.flatMap(foreignGroup)] as const);
  const left = Object.fromEntries(kept.filter(([, groups]) => groups.length > 0));
  const { hooks: _hooks, ...rest } = all;
  return Object.keys(left).length > 0 ? { ...rest, hooks: left } : rest;
}

function foreignGroup(group: { hooks?: unknown }): unknown[] {
  if (!Array.isArray(group?.hooks)) return [group];
  const others = group.hooks.filter((entry: { command?: string } | null) => !entry?.command?.includes('belfry-hook'));
  if (others.length === group.hooks.length) return [group];
  return others.length === 0 ? [] : [{ ...group, hooks: others }];
}
