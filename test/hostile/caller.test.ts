// Whoever is run by an agent gives no command that is a person's, however it was started; and no person is taken for an agent.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import { commandLine, leftBehind, type LeftBehind, runIn, shellCalled } from '../support/callers.ts';
import { temporaryFolder } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { hostileHome } from './hostile-home.ts';

const AWAY = 'away 5m';
const CLAUDE = { CLAUDECODE: '1' };
const REFUSED = /an agent \((\w+)\) runs this command.*: .* in a terminal of your own/;

/** The agent that was refused; null: nobody was. */
function refused({ code, said }: LeftBehind): string | null {
  const agent = REFUSED.exec(said)?.[1] ?? null;
  expect([code, said]).toEqual([agent === null ? 0 : 3, said]);
  return agent;
}

let home = '';
beforeAll(async () => {
  ({ home } = await hostileHome());
});

async function below(shell: string, script: string, env: Record<string, string> = {}): Promise<string | null> {
  const { code, stdout, stderr } = await runIn(shell, home, script, env);
  return refused({ code: code ?? -1, said: stdout + stderr });
}

/** `CLEAR bash JOB` with nothing of the environment but what belfry needs. */
const CLEAR = 'env -i PATH="$PATH" HOME="$HOME" BELFRY_HOME="$BELFRY_HOME" BELFRY_NO_AUTOSTART=1';

async function left(shell: string, script: (job: string) => string, env = {}): Promise<string | null> {
  return refused(await leftBehind(shell, home, script, AWAY, env));
}

test.runIf(process.platform === 'linux').each(['away 5m', 'mute 1h', 'ack --all', 'dashboard --print'])(
  'an agent runs belfry %s: it is refused',
  async (words) => {
    expect(await below(shellCalled('claude'), commandLine(words))).toBe('claude');
  },
);

test.runIf(process.platform === 'linux')(
  'an agent ends a mute and stops the daemon: it may, for it hides nothing by that',
  async () => {
    const own = homeWith('');
    await startDaemon(own);
    const shell = shellCalled('claude');
    expect(await runIn(shell, own, commandLine('unmute'))).toMatchObject({ code: 0 });
    expect(await runIn(shell, own, commandLine('stop'))).toMatchObject({ code: 0 });
  },
);

test.runIf(process.platform === 'linux')('an agent clears the environment of what it runs: it is refused', async () => {
  expect(await below(shellCalled('codex'), `${CLEAR} ${commandLine(AWAY)}`)).toBe('codex');
});

test.runIf(process.platform === 'linux')('an agent runs it below thirty shells: it is refused', async () => {
  const nested = join(temporaryFolder(), 'nested');
  writeFileSync(nested, `if [ $1 -gt 0 ]; then bash $0 $(($1 - 1)); else ${commandLine(AWAY)}; fi\nexit $?\n`);
  expect(await below(shellCalled('droid'), `bash ${nested} 30`)).toBe('droid');
});

test.runIf(process.platform === 'linux').each<[string, (job: string) => string]>([
  ['a background job that has lost its parents', (job) => `( P=$BASHPID; PARENT=$P bash ${job} & )`],
  ['a job under nohup', (job) => `PARENT=$$ nohup bash ${job} >/dev/null 2>&1 &`],
  ['a job that is disowned', (job) => `PARENT=$$ bash ${job} & disown`],
  ['a job in a session of its own', (job) => `PARENT=$$ setsid bash ${job} &`],
  ['a job of a job', (job) => `( P=$BASHPID; ( PARENT=$P bash ${job} & ) & )`],
])('an agent leaves %s: it is refused', async (_what, script) => {
  expect(await left(shellCalled('claude'), script, CLAUDE)).toBe('claude');
});

test.runIf(process.platform === 'linux').each<[string, (job: string) => string]>([
  ['no environment', (job) => `( P=$BASHPID; ${CLEAR} PARENT=$P bash ${job} & ); sleep 600; exit`],
  [
    'no environment, in a group of its own',
    (job) => `set -m; ( P=$BASHPID; ${CLEAR} PARENT=$P bash ${job} & ); sleep 600; exit`,
  ],
])('an agent that runs on leaves a job with %s: it is refused', async (_what, script) => {
  expect(await left(shellCalled('claude'), script)).toBe('claude');
});

test.runIf(process.platform === 'linux').each<[string, (job: string) => string]>([
  ['a background job', (job) => `( P=$BASHPID; PARENT=$P bash ${job} & )`],
  ['a job under nohup', (job) => `PARENT=$$ nohup bash ${job} >/dev/null 2>&1 &`],
  ['a job in a session of its own', (job) => `PARENT=$$ setsid bash ${job} &`],
])('a person leaves %s: it is taken', async (_what, script) => {
  expect(await left(shellCalled('zsh'), script)).toBe(null);
});

test.runIf(process.platform === 'linux')(
  'a person types beside an agent that they have put into the background: it is taken',
  async () => {
    const script = `'${shellCalled('claude')}' -c 'read -r _ < <(:); sleep 600; exit' & ${commandLine(AWAY)}; A=$?; kill %1; (exit $A)`;
    expect(await below(shellCalled('zsh'), `set -m; ${script}`)).toBe(null);
  },
);

test.runIf(process.platform === 'linux').each<[string, string, Record<string, string>, string | null]>([
  ['in a terminal of Cursor, the editor', 'cursor', {}, null],
  ['by the agent of Cursor, the editor', 'cursor', { CURSOR_AGENT: '1' }, 'cursor'],
  ['by Cursor on the command line', 'cursor-agent', {}, 'cursor'],
  ['in a terminal of another editor', 'code', {}, null],
  [
    'in a terminal of an editor that tells where an agent listens',
    'code',
    { CLAUDE_CODE_SSE_PORT: '1', GEMINI_CLI_IDE_SERVER_PORT: '2' },
    null,
  ],
  ['with a variable of an agent that is empty', 'zsh', { CLAUDECODE: '' }, null],
])('%s: that is judged right', async (_what, name, env, expected) => {
  expect(await below(shellCalled(name), commandLine(AWAY), env)).toBe(expected);
});

const VARIABLES = agents.flatMap(({ name, commandVariables }) =>
  commandVariables.map((variable) => [name, variable] as const),
);

test.runIf(process.platform === 'linux').each(VARIABLES)(
  '%s sets %s for what it runs, whose parents are lost: it is refused',
  async (name, variable) => {
    const { code, stderr } = await runIn(shellCalled('zsh'), home, commandLine(AWAY), { [variable]: 'something' });
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`an agent (${name}) runs this command, for its environment has ${variable}: `),
    ]);
  },
);
