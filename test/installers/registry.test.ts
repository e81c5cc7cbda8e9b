// `belfry install` for every registered agent through the built program: its real shape, nothing changed the second time, gone without a trace.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import { isHookCommand } from '../../src/runtime/hook-command.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';
import { isGone } from '../support/processes.ts';
import { until } from '../support/wait.ts';

const clients = agents.filter((agent) => agent.settings !== null);

/** Every file below a folder but belfry's own and the clients' programs, with its bytes. */
function tree(home: string): Record<string, string> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true });
  const own = files.filter((entry) => !/^b/.test(relative(home, join(entry.parentPath, entry.name))));
  return Object.fromEntries(
    own.map((entry) => [
      relative(home, join(entry.parentPath, entry.name)),
      entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'utf8') : '',
    ]),
  );
}

/** A home with a program for each client on the PATH that prints a version. */
function home(): { folder: string; env: Record<string, string> } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  for (const agent of clients) {
    const program = agent.version?.[0];
    if (program === undefined) {
      const at = { home: folder, env: {}, platform: process.platform };
      mkdirSync(dirname(agent.settings?.user(at) ?? folder), { recursive: true });
      continue;
    }
    writeFileSync(join(folder, 'bin', program), '#!/bin/sh\necho "99.1.2 (Client)"\n');
    chmodSync(join(folder, 'bin', program), 0o755);
  }
  mkdirSync(join(folder, 'b'));
  return {
    folder,
    env: { HOME: folder, BELFRY_HOME: join(folder, 'b'), PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
  };
}

test('install --all, again, uninstall', async () => {
  const { folder, env } = home();
  const before = tree(folder);
  const first = await belfry(folder, ['install', '--all', '--json'], { env });
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const { agents: done } = JSON.parse(first.stdout) as {
    agents: { agent: string; events: string[]; files: { file: string }[] }[];
  };
  expect(done.map((entry) => entry.agent).sort()).toEqual(clients.map((agent) => agent.name).sort());
  for (const { agent, events, files } of done) {
    expect(events, agent).toEqual(clients.find(({ name }) => name === agent)?.events.map((event) => event.name));
    const text = readFileSync(files[0]?.file ?? '', 'utf8');
    expect(isHookCommand(text.replaceAll('\\"', '"')), agent).toBe(true);
    expect(text, agent).toContain(`--agent ${agent}`);
  }
  const installed = tree(folder);
  const again = await belfry(folder, ['install', '--all'], { env });
  expect(again.code).toBe(0);
  expect(tree(folder)).toEqual(installed);
  expect((await belfry(folder, ['uninstall'], { env })).code).toBe(0);
  expect(tree(folder)).toEqual(before);
  expect(readdirSync(join(folder, 'b'))).toEqual([]);
});

test('--project, --settings and --dry-run', async () => {
  const { folder, env } = home();
  const project = join(folder, 'project', 'deep');
  mkdirSync(project, { recursive: true });
  mkdirSync(join(folder, 'project', '.git'));
  const [agent] = clients.filter((candidate) => candidate.settings?.project && candidate.settings.shape === 'nested');
  const name = agent?.name ?? '';
  const file = join(folder, 'project', agent?.settings?.project ?? '');
  const dry = await belfry(folder, ['install', name, '--project', '--dry-run'], { env, cwd: project });
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toContain(`+++ ${file}`);
  expect(existsSync(dirname(file))).toBe(false);
  await belfry(folder, ['install', name, '--project'], { env, cwd: project });
  expect(readFileSync(file, 'utf8')).toContain('belfry-hook');

  const named = join(folder, 'elsewhere.json');
  writeFileSync(named, '{"apiKey":"secret-of-mine"}');
  const shown = await belfry(folder, ['install', name, '--settings', named, '--dry-run'], { env });
  expect(shown.stdout).toContain('"apiKey":"***"');
  expect(shown.stdout).not.toContain('secret-of-mine');
  await belfry(folder, ['install', name, '--settings', named], { env });
  expect(readFileSync(named, 'utf8')).toContain('{"apiKey":"secret-of-mine","hooks":{');

  // Without a name, everything that is remembered goes, wherever it was put.
  await belfry(folder, ['uninstall'], { env });
  expect(readFileSync(named, 'utf8')).toBe('{"apiKey":"secret-of-mine"}');
  expect(existsSync(dirname(file))).toBe(false);
});

test.each([
  [['install'], 2, /found: .*name the ones you want, or use --all/],
  [['install', 'nope'], 2, /unknown agent "nope"; known: (?!.*generic)(?:antigravity, )?claude, /],
  [['install', 'clade'], 2, /unknown agent "clade"; did you mean "claude"\?/],
  [['install', 'generic'], 2, /no settings to install into/],
  [['install', 'claude', 'droid', '--settings', 'x.json'], 2, /--settings needs exactly one agent/],
  [['install', '--all', '--settings', 'x.json'], 2, /--settings needs exactly one agent/],
  [['install', 'claude', '--settings', 'x.json', '--project'], 2, /cannot be used together/],
  [['install', 'claude', '--hook', 'odd'], 2, /unknown hook form "odd": use fast or socket/],
  [
    ['install', 'claude', '--settings', 'broken.json'],
    1,
    /broken\.json is not valid JSON \(line 1, column 2: close brace expected\)/,
  ],
])('%j: exit %i', async (args, code, message) => {
  const { folder, env } = home();
  writeFileSync(join(folder, 'broken.json'), '{');
  const ran = await belfry(folder, args, { env, cwd: folder });
  expect(ran.stderr).toMatch(message);
  expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  expect(ran.code).toBe(code);
});

test('a client that does not answer is not waited for long, nor what it started; what is missed is said', async () => {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  mkdirSync(join(folder, '.claude'));
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\nsleep 600 & echo $! > "$HOME/child"; wait\n', { mode: 0o755 });
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const ran = await belfry(folder, ['install', 'claude'], { env, limit: 120_000 });
  expect(ran).toMatchObject({ code: 0, stderr: `waiting up to 10 s for \`${join(bin, 'claude')} --version\`\n` });
  expect(ran.stdout).toMatch(
    /`claude --version` did not answer within 10 s, so there is no hook for StopFailure.*not be notified of turns that/,
  );
  const child = Number(readFileSync(join(folder, 'child'), 'utf8'));
  await until(() => isGone(child), 'what it started to be ended');
  const doctor = await belfry(folder, ['doctor', '--json'], { env, limit: 120_000 });
  expect(doctor.stdout).toMatch(
    /no hook for StopFailure, PermissionRequest; you will not be notified of turns that fail/,
  );
});
