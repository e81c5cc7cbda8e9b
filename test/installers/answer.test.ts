// `belfry install --answer`: what it adds, for which versions, what an update keeps, and that uninstall leaves no trace.
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { REPLY_STATUS } from '../../src/ipc/ask.ts';
import { askCommand, farAskCommand, isAskCommand, isHookCommand } from '../../src/runtime/hook-command.ts';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, run } from '../support/programs.ts';

type Entry = Readonly<Record<string, unknown>> & { readonly command: string };
type Hooks = Readonly<Record<string, readonly { readonly hooks: readonly Entry[] }[]>>;

const BEFORE = `{
  // mine
  "model": "opus",
  "hooks": {
    "PermissionRequest": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }],
  },
}
`;

/** A home with a client of this version, and its settings. */
function clientHome(version: string, settings: string | null) {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho '${version} (Claude Code)'\n`);
  chmodSync(join(bin, 'claude'), 0o755);
  const file = join(home, '.claude', 'settings.json');
  mkdirSync(join(home, '.claude'));
  if (settings !== null) writeFileSync(file, settings);
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
  const text = (): string => readFileSync(file, 'utf8');
  const asks = (): string[] =>
    [...text().matchAll(/"command": "([^"\\]|\\.)*belfry-ask.*/g)].map(([line]) =>
      line.includes('--reply') ? 'reply' : 'decide',
    );
  return { home, text, asks, belfry: (...args: string[]) => belfry(home, args, { env }) };
}

test('two waiting entries and the events that withdraw a question; uninstall restores byte for byte', async () => {
  const { home, belfry, text } = clientHome('2.1.197', null);
  writeFileSync(join(home, '.claude', 'settings.json'), '{}\n');
  expect(await belfry('install', 'claude')).toMatchObject({ code: 0 });
  const plain = text();
  expect(plain).not.toContain('belfry-ask');
  const added = await belfry('install', 'claude', '--answer');
  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('answers: also from elsewhere: `belfry answer`'),
  });
  const { hooks } = JSON.parse(text()) as { hooks: Hooks };
  const entries = (event: string) => (hooks[event] ?? []).flatMap((group) => group.hooks);
  expect(entries('PermissionRequest')).toEqual([
    expect.objectContaining({ command: expect.stringContaining('belfry-hook') }),
    { type: 'command', command: expect.stringMatching(/belfry-ask\.cjs.*exit 0$/), timeout: 86_400 },
  ]);
  expect(entries('Stop')).toEqual([
    expect.objectContaining({ command: expect.stringContaining('belfry-hook') }),
    {
      type: 'command',
      command: expect.stringContaining('--reply'),
      timeout: 86_400,
      asyncRewake: true,
      rewakeMessage: 'The user replied from another device:',
      rewakeSummary: 'Reply from another device',
    },
  ]);
  for (const event of ['PostToolUse', 'PostToolUseFailure'])
    expect(entries(event)).toEqual([expect.objectContaining({ command: expect.stringContaining('belfry-hook') })]);
  const answering = text();
  expect((await belfry('install', 'claude')).code).toBe(0); // an update keeps it
  expect(text()).toBe(answering);
  expect((await belfry('install', 'claude', '--no-answer')).code).toBe(0);
  expect(JSON.parse(text())).toEqual(JSON.parse(plain));
  expect((await belfry('install', 'claude', '--answer')).code).toBe(0);
  expect((await belfry('uninstall', 'claude')).code).toBe(0);
  expect(text()).toBe('{}\n');
});

test('what the client writes to its own terminal is installed on request, kept, and removed again', async () => {
  const { belfry, text } = clientHome('2.1.197', '{}\n');
  const asking = (): string[] => {
    const { hooks } = JSON.parse(text()) as { hooks: Hooks };
    const has = ([, groups]: [string, Hooks[string]]) => JSON.stringify(groups).includes('belfry-ask');
    return Object.entries(hooks)
      .filter(has)
      .map(([event]) => event)
      .sort();
  };
  const usual = ['PermissionRequest', 'Stop', 'StopFailure'];
  for (const [flags, expected] of [
    [['--answer'], usual],
    [['--terminal'], ['Notification', ...usual]],
    [[], ['Notification', ...usual]],
    [['--answer'], ['Notification', ...usual]],
    [['--no-terminal'], usual],
    [['--no-answer'], []],
  ] as const) {
    expect((await belfry('install', 'claude', ...flags)).code, flags.join(' ')).toBe(0);
    expect(asking(), flags.join(' ')).toEqual(expected);
  }
  expect((await belfry('install', 'claude', '--no-answer', '--terminal')).code).toBe(2);
});

test('settings with comments and hooks of others stay as they are', async () => {
  const { belfry, text, asks } = clientHome('2.1.197', BEFORE);
  expect((await belfry('install', 'claude', '--answer')).code).toBe(0);
  expect([text().includes('// mine'), asks()]).toEqual([true, ['decide', 'reply', 'reply']]);
  expect((await belfry('uninstall', 'claude')).code).toBe(0);
  expect(text()).toBe(BEFORE);
});

test.each([
  [
    '2.1.196',
    'version 2.1.196 is too old, it takes 2.1.197 or later; upgrade it, then run `belfry install claude --answer`',
  ],
  [
    'unknown',
    'nothing is installed to answer it from elsewhere: its version is not known (`claude --version` printed no version), and it takes 2.1.197 or later; make `claude --version` work in this shell, then run `belfry install claude --answer`',
  ],
])('a client of version %s is not installed for, and says why', async (version, why) => {
  const { belfry, text } = clientHome(version, '{}\n');
  const { code, stdout, stderr } = await belfry('install', 'claude', '--answer');
  expect([code, text().includes('belfry-hook'), text().includes('belfry-ask')]).toEqual([0, true, false]);
  expect(stdout + stderr).toContain(why);
});

test('an agent without a way in says so', async () => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await belfry(home, ['install', 'gemini', '--answer']);
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('answer at its terminal')]);
});

const parts = { agent: 'claude', node: process.execPath, packageDir: '/nowhere' };

test('both command lines are known as ours, and only one kind as asking', () => {
  for (const reply of [true, false])
    for (const line of [askCommand({ ...parts, reply }), farAskCommand({ ...parts, reply })])
      expect([isHookCommand(line), isAskCommand(line)]).toEqual([true, true]);
  expect(isAskCommand('set -- node /x/dist --agent claude; . "$2/belfry-hook.sh"')).toBe(false);
});

/** Each of these would start the agent's next turn if it ended the command line with 2. */
const ACCIDENTS: readonly (readonly [string, string | null])[] = [
  ['the program is gone', null],
  ['the program is no program', '}{'],
  ['the program ends with 2', 'process.stderr.write("text"); process.exit(2)'],
  ['the program ends with 1', 'process.exit(1)'],
  ['the program throws', 'throw new Error("text")'],
  ['the program is killed', 'process.kill(process.pid, "SIGKILL")'],
  ['the program ends with 41', 'process.exit(41)'],
  ['the program prints and ends with 0', 'process.stderr.write("text")'],
];

test.each(
  ['sh', 'bash', 'dash', 'zsh', 'busybox sh'].flatMap((shell) =>
    ACCIDENTS.map(([what, code]) => [shell, what, code] as const),
  ),
)('%s: %s: status 0', async (shell, _what, code) => {
  const folder = temporaryFolder();
  const [program = '', ...args] = shell.split(' ');
  if ((await run('sh', ['-c', `command -v ${program}`], bareEnv(folder))).code !== 0) return;
  mkdirSync(join(folder, 'dist'));
  if (code !== null) writeFileSync(join(folder, 'dist', 'belfry-ask.cjs'), code);
  const line = askCommand({ ...parts, packageDir: folder, reply: true });
  expect((await run(program, [...args, '-c', line], bareEnv(folder))).code).toBe(0);
});

test.each([null, '(', 'exit 2', 'exit 1', 'exit 41', 'kill -KILL $$', 'echo text >&2'])(
  'the script on a machine elsewhere is "%s": status 0',
  async (script) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'dist'));
    if (script !== null) writeFileSync(join(folder, 'dist', 'belfry-ask.sh'), script);
    const line = farAskCommand({ ...parts, packageDir: folder, reply: true });
    expect((await run('sh', ['-c', line], bareEnv(folder))).code).toBe(0);
  },
);

test('status 2 only after the private one, with the text alone on stderr', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist', 'belfry-ask.cjs'), `process.stderr.write("go on"); process.exit(${REPLY_STATUS})`);
  const reply = askCommand({ ...parts, packageDir: folder, reply: true });
  expect(await run('sh', ['-c', reply], bareEnv(folder))).toMatchObject({ code: 2, stderr: 'go on', stdout: '' });
  // The other command line never ends so, whatever its program does.
  const decide = askCommand({ ...parts, packageDir: folder, reply: false });
  expect(await run('sh', ['-c', decide], bareEnv(folder))).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  ['codex', '0.169.0', '.codex/hooks.json', '{ "hooks": {} }\n'],
  ['qwen', '0.15.10', '.qwen/settings.json', '{\n\t// mine\n\t"model": { "name": "x" }\n}\n'],
  ['droid', '0.225.2', '.factory/settings.json', '{}'],
])(
  '%s: one entry more with --answer, none for an older version, and uninstall restores byte for byte',
  async (name, version, path, before) => {
    const home = temporaryFolder();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    const program = (printed: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\necho '${printed}'\n`);
      chmodSync(join(bin, name), 0o755);
    };
    const file = join(home, path);
    mkdirSync(join(file, '..'));
    writeFileSync(file, before);
    const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
    const text = (): string => readFileSync(file, 'utf8');
    program(version);
    expect(await belfry(home, ['install', name], { env })).toMatchObject({ code: 0 });
    const plain = text();
    expect(plain).not.toContain('belfry-ask');
    expect(await belfry(home, ['install', name, '--answer'], { env })).toMatchObject({ code: 0 });
    expect(text().match(/belfry-ask\.cjs/g)).toHaveLength(1);
    expect(await belfry(home, ['install', name], { env })).toMatchObject({ code: 0 }); // an update keeps it
    expect(text()).toContain('belfry-ask');
    expect(await belfry(home, ['install', name, '--no-answer'], { env })).toMatchObject({ code: 0 });
    expect(text()).toBe(plain);
    program('0.1.0');
    const old = await belfry(home, ['install', name, '--answer'], { env });
    expect(old.stdout + old.stderr).toContain('version 0.1.0 is too old');
    expect(text()).toBe(plain);
    expect(await belfry(home, ['uninstall', name], { env })).toMatchObject({ code: 0 });
    expect(text()).toBe(before);
  },
);

test('an extension in a folder that the client has left since, and that was changed there, is removed whole', async () => {
  const { home } = clientHome('2.1.197', null);
  const bin = join(home, 'bin');
  writeFileSync(join(bin, 'copilot'), "#!/bin/sh\necho '1.0.102'\n");
  chmodSync(join(bin, 'copilot'), 0o755);
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
  const earlier = join(home, 'earlier');
  mkdirSync(earlier);
  mkdirSync(join(home, '.copilot'));
  const installed = await belfry(home, ['install', 'copilot', '--answer'], { env: { ...env, COPILOT_HOME: earlier } });
  expect(installed).toMatchObject({ code: 0 });
  const file = join(earlier, 'extensions', 'belfry', 'extension.mjs');
  appendFileSync(file, '// looked at\n');
  expect(await belfry(home, ['uninstall', 'copilot'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(file)).toBe(false);
});
