// The command line in a client's settings: quoting, silence and exit 0 when what it names has gone.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hookArgv, hookCommand, isHookCommand } from '../../src/runtime/hook-command.ts';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv } from '../support/programs.ts';

const NAMES = [
  'plain',
  'a space',
  "a 'quote' b",
  'double " quote',
  'dollar $HOME `id`',
  'ünïcødé 日本',
  'back\\slash',
  'semi;colon&',
];
const FORMS = ['fast', 'socket'] as const;

/** A package whose hooks write down what they were given. */
function fakePackage(name: string): string {
  const folder = join(temporaryFolder(), name);
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'dist', 'belfry-hook.sh'), 'shift 2; for w in "$@"; do printf "[%s]" "$w"; done\n');
  writeFileSync(
    join(folder, 'dist', 'belfry-hook.cjs'),
    'console.log(process.argv.slice(2).map((w)=>`[${w}]`).join(""))',
  );
  symlinkSync(process.execPath, join(folder, 'node'));
  return folder;
}

function sh(command: string): { code: number | null; out: string; err: string } {
  const ran = spawnSync('sh', ['-c', command], { encoding: 'utf8', input: '{}', env: bareEnv(temporaryFolder()) });
  return { code: ran.status, out: ran.stdout.trim(), err: ran.stderr };
}

test.each(NAMES.flatMap((name) => FORMS.map((form) => ({ name, form }))))('$form in $name', ({ name, form }) => {
  const packageDir = fakePackage(name);
  const print = `{"it's": "ok"}`;
  const command = hookCommand({ form, agent: 'x', event: 'Stop', print, node: join(packageDir, 'node'), packageDir });
  expect(sh(command)).toEqual({ code: 0, out: `[--agent][x][--event][Stop][--print][${print}]`, err: '' });
  expect(isHookCommand(command)).toBe(true);
});

test.each<[string, (folder: string) => { node?: string; packageDir?: string }]>([
  ['the package has gone', () => ({ packageDir: '/nowhere/belfry' })],
  ['Node has gone', () => ({ node: '/nowhere/node' })],
  ['both have gone', () => ({ packageDir: '/nowhere/belfry', node: '/nowhere/node' })],
  ['Node is a folder', (folder) => ({ node: folder })],
  ['Node is no program', (folder) => ({ node: broken(folder) })],
  ['the package is a file', () => ({ packageDir: '/etc/passwd' })],
])('silent and 0 when %s', (_name, change) => {
  for (const form of FORMS) {
    const packageDir = fakePackage('p');
    const options = { form, agent: 'x', node: join(packageDir, 'node'), packageDir, ...change(packageDir) };
    // The shell hook itself does not need Node; here it is the real one, with nowhere to go.
    const dist = new URL('../../dist/', import.meta.url).pathname;
    const command = hookCommand(options).replaceAll('"$2/belfry-hook.sh"', `'${dist}belfry-hook.sh'`);
    expect(sh(form === 'fast' ? command : hookCommand(options))).toEqual({ code: 0, out: '', err: '' });
    expect(sh(hookCommand({ ...options, packageDir: '/nowhere' }))).toEqual({ code: 0, out: '', err: '' });
  }
});

function broken(folder: string): string {
  const path = join(folder, 'broken');
  writeFileSync(path, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]));
  chmodSync(path, 0o755);
  return path;
}

test.each([
  ['belfry-hook', true],
  ['belfry-hook --agent claude', true],
  ['"C:\\Program Files\\nodejs\\node.exe" "C:\\x\\belfry\\dist\\belfry-hook.cjs" --agent x', true],
  ['/usr/bin/node /opt/belfry/dist/belfry-hook.cjs --agent droid || true', true],
  ['echo belfry-hooks', false],
  ['/opt/my-belfry-hook-wrapper', false],
  ['notify-send belfry', false],
])('%s is ours: %s', (command, ours) => {
  expect(isHookCommand(command)).toBe(ours);
});

test('for cmd.exe and without a shell', () => {
  const options = { form: 'cmd', agent: 'x', node: 'C:\\Program Files\\node.exe', packageDir: 'C:\\b c' } as const;
  const hook = 'C:\\b c\\dist\\belfry-hook.cjs';
  expect(hookCommand(options)).toBe(
    [
      `if exist "${options.node}" (if exist "${hook}" ("${options.node}" "${hook}" --agent x 2>nul)`,
      `else (call belfry-hook --agent x 2>nul))`,
      `else (if exist "${hook}" (node "${hook}" --agent x 2>nul) else (call belfry-hook --agent x 2>nul)) & exit 0`,
    ].join(' '),
  );
  expect(hookArgv(options)).toEqual([options.node, hook, '--agent', 'x']);
});
