// The real client with answering installed, in a terminal, offline against a local model, and a daemon to answer through.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import type { Question } from '../../src/model/question/question.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { permission, waitAsHook } from '../support/answering.ts';
import { bareEnv, belfry, type Ran, run, type RunningDaemon, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { claudeTool } from './asked-tools.ts';
import { obtain } from './obtain.ts';
import { claude } from './real/claude.ts';
import type { ScenarioClient } from './real/client.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { startToolModel, type ToolModel } from './tool-model.ts';

/** For what the client and its hooks do; several clients of half a gigabyte run at once. */
const LIMIT = 240_000;

/** All of it. */
export interface AnswerWorld {
  readonly home: string;
  readonly project: string;
  readonly model: ToolModel;
  readonly env: NodeJS.ProcessEnv;
  daemon: RunningDaemon;
  startDaemon(): Promise<RunningDaemon>;
  belfry(...args: readonly string[]): Promise<Ran>;
  /** A new session of the client, at its empty prompt. */
  open(): Promise<Terminal>;
  /** Types a prompt and sends it. */
  prompt(terminal: Terminal, text: string): Promise<void>;
  questions(): Promise<readonly Question[]>;
  /** The open question, once there is one that `before` did not have. */
  asked(kind: Question['kind'], before?: readonly Question[]): Promise<Question>;
  /** Waits for the state of a question. */
  settled(id: string, state: Question['state']): Promise<Question>;
  /** One-shot run. */
  once(prompt: string): Promise<Ran>;
}

/** Null, with the reason printed, where the client or tmux cannot be had. `install`: how `belfry install claude` is called; `client`: in which version, and signed in how. */
export async function answerWorld(
  install: readonly string[] = ['--answer'],
  client: ScenarioClient = claude,
): Promise<AnswerWorld | null> {
  const folder = temporaryFolder();
  const had = await obtain(client, folder);
  const tmux = await run('sh', ['-c', 'command -v tmux'], bareEnv(folder));
  if ('reason' in had || tmux.code !== 0) {
    console.log('reason' in had ? had.reason : 'tmux is needed');
    return null;
  }
  const model = await startToolModel(claudeTool);
  const home = temporaryFolder('belfry-home-');
  const project = join(home, 'project');
  mkdirSync(project);
  const env = bareEnv(home, {
    ...client.prepare({ home, project, model: model.url }),
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    PATH: `${had.path}${delimiter}${process.env['PATH']}`,
  });
  const installed = await belfry(home, ['install', 'claude', ...install], { env });
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  const settings = readFileSync(join(home, '.claude', 'settings.json'), 'utf8');
  expect(settings.includes('asyncRewake')).toBe(install.includes('--answer'));
  writeFileSync(join(home, 'config.toml'), '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n');
  const questions = async (): Promise<readonly Question[]> => {
    const store = await openReader(pathsBelow(home).database, 'all');
    try {
      return await store.questions({});
    } finally {
      await store.close();
    }
  };
  const daemon = await startDaemon(home);
  // The first one is the slowest, and a hook waits for nothing that is slow.
  await waitAsHook(home, permission('first')).then(
    (talk) => talk.close(),
    () => undefined, // was too slow: the next one is not
  );
  return {
    home,
    project,
    model,
    env,
    questions,
    daemon,
    belfry: async (...args) => {
      const ran = await belfry(home, args);
      console.log(`belfry ${args.join(' ')}: ${ran.code} ${ran.stdout}${ran.stderr}`.trim());
      return ran;
    },
    open: async () => {
      const terminal = await openTerminal(folder, ['claude', ...client.start], env, project);
      await terminal.shows(client.ready);
      return terminal;
    },
    prompt: (terminal, text) => terminal.enter(text),
    asked: (kind, before = []) =>
      until(
        async () =>
          (await questions()).find(
            (q) =>
              q.state === 'open' &&
              q.kind === kind &&
              !q.sessionKey.endsWith('/first') &&
              !before.some(({ id }) => id === q.id),
          ),
        `an open question (${kind})`,
        LIMIT,
      ).catch((error: Error) => {
        throw new Error(`${error.message}:\n${readFileSync(pathsBelow(home).daemonLog, 'utf8')}`);
      }),
    settled: (id, wanted) =>
      until(
        async () => (await questions()).find((question) => question.id === id && question.state === wanted),
        `the question to be ${wanted}`,
        30_000,
      ),
    startDaemon: () => startDaemon(home),
    once: (prompt) => run('claude', client.once(prompt), { ...env, TERM: 'dumb' }, { cwd: project, limit: 180_000 }),
  };
}
