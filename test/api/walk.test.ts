// docs/guide/service.md, walked as a new user would, and docs/reference/service.md beside the contract: the mock service in one terminal, every command pasted in another.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { entries } from '../../src/api/contract/contract.ts';
import { kebab } from '../../src/cli/api/flags.ts';
import { BELFRY, bareEnv, run } from '../support/programs.ts';
import { temporaryFolder } from '../support/home.ts';

const read = (page: string): string => readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
const walk = /^## Try it$([\s\S]*?)^## /m.exec(read('guide/service'))?.[1] ?? '';
const [start = '', , pasted = ''] = [...walk.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
const commands = pasted.split('\n');

// One program after another: on a loaded machine that takes its time.
test('every command of the walk works when it is pasted', { timeout: 300_000 }, async () => {
  const home = temporaryFolder();
  const bin = join(home, 'belfry');
  writeFileSync(bin, `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(BELFRY)} "$@"\n`);
  chmodSync(bin, 0o755);
  const bare = bareEnv(home);
  const path = `${home}:${bare['PATH']}`;
  const terminal = spawn('sh', ['-c', `exec ${start}`], {
    env: { ...bare, PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: terminal.stdout }), 'line')) as [string];
  const { baseUrl, appUrl, apiKey, memberKey } = JSON.parse(line) as Record<string, string>;
  const env = { ...bare, PATH: path, BELFRY_API_BASE_URL: baseUrl, BELFRY_API_APP_URL: appUrl, BELFRY_API_KEY: apiKey };
  for (const command of commands) {
    const ran = await run('sh', ['-c', command], env, { cwd: home, limit: 120_000 });
    expect({ command, code: ran.code, said: ran.stderr }).toMatchObject({ command, code: 0 });
    if (command.startsWith('belfry')) expect(ran.stdout.trim(), command).not.toBe('');
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(apiKey);
  }
  const [first = ''] = commands;
  const member = await run('sh', ['-c', first], { ...env, BELFRY_API_KEY: memberKey }, { cwd: home });
  expect(member).toMatchObject({ code: 3, stdout: '' });
  terminal.kill('SIGTERM');
  expect(await new Promise((resolve) => terminal.once('exit', resolve))).toBe(0);
});

test('the walk has every command of the contract', () => {
  const missing = entries
    .map(({ resource, method }) => `belfry api ${kebab(resource)} ${kebab(method)} `)
    .filter((name) => !commands.some((command) => `${command} `.startsWith(name)));
  expect(missing).toEqual([]);
});

test('the table of endpoints is that of the contract, and its tests exist', () => {
  const tests = readFileSync(new URL('./requests.test.ts', import.meta.url), 'utf8');
  const rows = [
    ...read('reference/service').matchAll(/^\| `((?:GET|POST|PATCH|PUT) .*)` \| `(.*)` \| `(.*)` \| (.*) \|$/gm),
  ];
  const expected = entries.map(({ resource, method, endpoint }) => [
    `${endpoint.method} {${endpoint.host}_url}${endpoint.path}`,
    `client.${resource}.${method}`,
    `belfry api ${kebab(resource)} ${kebab(method)}`,
  ]);
  expect(rows.map(([, ...cells]) => cells.slice(0, 3))).toEqual(expected);
  expect(rows.map((cells) => cells[4] ?? '').filter((name) => !tests.includes(`name: '${name}'`))).toEqual([]);
});
