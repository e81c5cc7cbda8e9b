// Hostile environments, options and limits.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Case, JSON_INPUT, type World } from './case.ts';

type Variables = Record<string, string | undefined>;

const variables = (name: string, env: Variables | ((world: World) => Variables), more: Partial<Case> = {}): Case => ({
  name,
  kept: JSON_INPUT,
  env: typeof env === 'function' ? env : () => env,
  ...more,
});

/** Programs named like those a script calls, each leaving a trace. */
function impostors({ home }: World): void {
  mkdirSync(join(home, 'bin'));
  for (const name of ['cat', 'head', 'printf', 'kill', 'node', 'test', '[', 'read']) {
    writeFileSync(join(home, 'bin', name), `#!/bin/sh\necho pwned; echo >'${home}/pwned'\n`);
    chmodSync(join(home, 'bin', name), 0o755);
  }
}

const untouched = ({ home }: World): void => expect(existsSync(join(home, 'pwned'))).toBe(false);

const VARIABLES: readonly Case[] = [
  variables('no HOME', ({ home }) => ({ HOME: undefined, BELFRY_HOME: undefined, XDG_STATE_HOME: home }), {
    kept: 'whatever',
    after: ({ home }) => expect(existsSync(join(home, 'belfry', 'spool'))).toBe(true),
  }),
  variables('an empty HOME', { HOME: '' }),
  variables('a HOME that is a device', { HOME: '/dev/null/x', BELFRY_HOME: undefined }, { kept: 'whatever' }),
  variables('a BELFRY_HOME that is a device', { BELFRY_HOME: '/dev/null' }, { kept: 'nothing' }),
  variables('a BELFRY_HOME where no folder can be made', { BELFRY_HOME: '/proc/x' }, { kept: 'nothing' }),
  variables('a relative BELFRY_HOME', { BELFRY_HOME: '.' }),
  variables('XDG_STATE_HOME', ({ home }) => ({ BELFRY_HOME: undefined, XDG_STATE_HOME: home }), {
    kept: 'whatever',
    after: ({ home }) => expect(existsSync(join(home, 'belfry', 'spool'))).toBe(true),
  }),
  variables(
    'a relative XDG_STATE_HOME',
    { BELFRY_HOME: undefined, XDG_STATE_HOME: 'x' },
    {
      kept: 'whatever',
      after: ({ home }) => expect(existsSync(join(home, '.local', 'state', 'belfry', 'spool'))).toBe(true),
    },
  ),
  variables('no PATH', { PATH: undefined }),
  variables('an empty PATH', { PATH: '' }),
  variables('impostors in PATH', ({ home }) => ({ PATH: `${home}/bin` }), { prepare: impostors, after: untouched }),
  variables('IFS', { IFS: 'abcdehlnoprtu/.-"' }),
  variables('ENV and BASH_ENV', ({ home }) => ({ ENV: `${home}/env` }), {
    prepare: ({ home }) => writeFileSync(join(home, 'env'), 'echo pwned\n'),
  }),
  variables('CDPATH', { CDPATH: '/:/tmp' }),
  variables('an unknown locale', { LC_ALL: 'xx_XX.bogus', LANG: 'C' }, { startNoise: /setlocale/ }),
  variables('a Turkish locale', { LC_ALL: 'tr_TR.UTF-8' }, { startNoise: /setlocale/ }),
  variables('a locale of one byte', { LC_ALL: 'C' }),
  variables('POSIXLY_CORRECT', { POSIXLY_CORRECT: '1' }),
  variables('functions for bash', {
    'BASH_FUNC_printf%%': '() { echo pwned; }',
    'BASH_FUNC_read%%': '() { echo pwned; }',
    'BASH_FUNC_umask%%': '() { echo pwned; }',
    'BASH_FUNC_ulimit%%': '() { echo pwned; }',
  }),
  variables('a Node that warns', { NODE_OPTIONS: '--pending-deprecation --throw-deprecation' }),
  variables(
    'NODE_OPTIONS, daemon down',
    { NODE_OPTIONS: '--require /nowhere.js' },
    { hooks: ['fast'], daemon: 'down' },
  ),
  variables(
    'our own variable names',
    {
      _pid: '1',
      _began: '1',
      _print: 'pwned',
      _node: '/bin/echo',
      _dist: '/',
      _home: '/',
      _spool: '/',
      _agent: 'y',
      _event: 'z',
      _want: 'print',
      _word: 'w',
      _comm: 'sh',
      _name: 'sh',
      _cat: '/bin/echo',
      _hints: '',
      PPID: 'x',
    },
    { check: (envelope) => expect(envelope).toMatchObject({ agent: 'x' }) },
  ),
  variables('payload fields as variables', {
    reason: 'other',
    message: "it's $(id)",
    hook_event_name: 'Stop',
    cwd: '/',
  }),
  variables(
    'a megabyte of variables',
    Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`V${i}`, 'x'.repeat(100_000)])),
  ),
  variables('an endless TERM', { TERM: 'x'.repeat(100_000) }),
  variables(
    'quotes and controls in a hint',
    { TERM_PROGRAM: 'a"b\\c\n\u0007\u001b[31m' },
    {
      check: ({ origin }) => expect(origin.env['TERM_PROGRAM']).toBe('a"b\\c\n\u0007\u001b[31m'),
    },
  ),
  variables('a PWD that lies', { PWD: '/nowhere' }),
  variables(
    'secrets are not handed over',
    { API_KEY: 'geheim', AWS_SECRET_ACCESS_KEY: 'geheim', TMUX_PANE: '%7' },
    {
      check: ({ origin }) => {
        expect(origin.env['TMUX_PANE']).toBe('%7');
        expect(JSON.stringify(origin)).not.toContain('geheim');
      },
    },
  ),
  variables('BELFRY_DISABLE', { BELFRY_DISABLE: '1' }, { kept: 'nothing' }),
  variables(
    'BELFRY_DEBUG',
    { BELFRY_DEBUG: '1' },
    {
      after: ({ paths }) => {
        expect(readFileSync(paths.hookLog, 'utf8')).toContain('bytes');
        expect(readFileSync(paths.hookLog, 'utf8')).not.toContain('hook_event_name');
      },
    },
  ),
];

const OPTIONS: readonly Case[] = [
  { name: 'a text to print', print: '{"continue":true}', kept: JSON_INPUT },
  { name: 'a text to print, disabled', print: '{}', env: () => ({ BELFRY_DISABLE: '1' }), kept: 'nothing' },
  { name: 'a text to print, daemon down', print: '{}', daemon: 'down', kept: JSON_INPUT },
  { name: 'a text full of formats', print: '%s\\n%n\\c $(id) `id` \'"', kept: JSON_INPUT },
  { name: '40 KB to print', print: 'x'.repeat(40_000), kept: JSON_INPUT },
  {
    name: 'an agent of hostile text',
    agent: 'a";$(touch pwned)`touch pwned`\n--print',
    kept: JSON_INPUT,
    check: ({ agent }) => expect(agent).toBe('a";$(touch pwned)`touch pwned`\n--print'),
    after: untouched,
  },
  { name: 'an event', event: 'Stöp', kept: JSON_INPUT, check: ({ event }) => expect(event).toBe('Stöp') },
  { name: 'options it does not know', around: '"$@" --verbose -x --agent', kept: JSON_INPUT, hooks: ['node'] },
];

const AROUND: readonly Case[] = [
  { name: 'umask 000', around: 'umask 000; "$@"', kept: JSON_INPUT },
  { name: 'umask 777', around: 'umask 777; "$@"', kept: JSON_INPUT },
  // The shell itself complains of this, before it reads any command.
  {
    name: 'a folder that was removed',
    hooks: ['node'],
    around: 'mkdir gone; cd gone; rmdir ../gone; "$@"',
    kept: JSON_INPUT,
  },
  { name: 'stdout closed', around: '"$@" >&-', kept: JSON_INPUT },
  { name: 'stdout full, with a text to print', around: '"$@" --print pwned >/dev/full', kept: JSON_INPUT },
  { name: 'stderr closed', around: '"$@" 2>&-', kept: JSON_INPUT },
  { name: 'everything closed', around: '"$@" <&- >&- 2>&-', kept: 'whatever' },
  { name: 'no files may grow', around: 'ulimit -f 0; "$@"', daemon: 'down', kept: 'nothing' },
  {
    name: 'no files may grow, daemon up',
    around: 'ulimit -f 0; "$@"',
    print: '{}',
    kept: JSON_INPUT,
    after: ({ paths }) => expect(existsSync(paths.spool) ? readdirSync(paths.spool) : []).toEqual([]),
  },
  { name: 'files of 512 bytes at most', around: 'ulimit -f 1; "$@"', input: 'x'.repeat(5_000), kept: 'whatever' },
  { name: 'few open files', around: 'ulimit -n 24; "$@"', kept: JSON_INPUT },
  { name: 'a small stack', around: 'ulimit -s 1024; "$@"', kept: JSON_INPUT },
  { name: 'strict shell', hooks: ['fast'], around: 'shift 2; sh -euC -c "$@"', kept: JSON_INPUT },
  { name: 'the lowest priority', around: 'nice -n 19 "$@"', kept: JSON_INPUT },
];

export const ENVIRONMENT: readonly Case[] = [
  ...VARIABLES.map((c) => ({ ...c, name: `environment: ${c.name}` })),
  ...OPTIONS.map((c) => ({ ...c, name: `options: ${c.name}` })),
  ...AROUND.map((c) => ({ ...c, name: `limits: ${c.name}` })),
];
