// A real client whose sessions are answered beside their own prompt, in a terminal, offline against a local model, and a daemon to answer through.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Question } from '../../src/model/question/question.ts';
import { questionsIn } from '../support/answering.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { BELFRY, bareEnv, belfry, type Ran, run, type RunningDaemon, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import type { WantedTool } from './model/protocol.ts';
import { obtain } from './obtain.ts';
import type { ScenarioClient } from './real/client.ts';
import { killAll, MARK } from './scenarios/stage.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { startToolModel, type ToolModel } from './tool-model.ts';

/** For what the client and its hooks do; several clients of half a gigabyte run at once. */
const LIMIT = 240_000;
const OFFLINE = {
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
};

/** All of it. */
export interface JoinedWorld {
  readonly home: string;
  readonly project: string;
  readonly model: ToolModel;
  daemon: RunningDaemon;
  startDaemon(): Promise<RunningDaemon>;
  belfry(...args: readonly string[]): Promise<Ran>;
  /** A new session, at its empty prompt. */
  open(): Promise<Terminal>;
  prompt(terminal: Terminal, text: string): Promise<void>;
  /** The open question, once there is one that `before` did not have. */
  asked(kind: Question['kind'], before?: readonly Question[]): Promise<Question>;
  questions(): Promise<readonly Question[]>;
  settled(id: string, state: Question['state']): Promise<Question>;
  log(): string;
  /** Processes of the client with this in their command line. */
  pidsOf(words: string): Promise<readonly number[]>;
  /** A one-shot run. */
  once(prompt: string): Promise<Ran>;
}

/** What the client is given. */
export interface JoinedOptions {
  /** The tool for what the user said; null: a text. */
  readonly choose: (text: string) => WantedTool | null;
  /** How `belfry install` is called for it. */
  readonly install: readonly string[];
  /** How it is started: `client`, or `belfry run client`. */
  readonly start: (client: string) => readonly string[];
}

/** `belfry` as a command of a terminal. */
export const OWN = [process.execPath, BELFRY] as const;

/** Null, with the reason printed, where the client or tmux cannot be had. */
export async function joinedWorld(client: ScenarioClient, options: JoinedOptions): Promise<JoinedWorld | null> {
  const folder = temporaryFolder();
  const had = await obtain(client, folder);
  const tmux = await run('sh', ['-c', 'command -v tmux'], bareEnv(folder));
  if ('reason' in had || tmux.code !== 0) {
    console.log('reason' in had ? had.reason : 'tmux is needed');
    return null;
  }
  const model = await startToolModel(options.choose);
  const home = temporaryFolder('belfry-home-');
  const project = join(home, 'project');
  mkdirSync(project);
  await run('git', ['init', '-q', project], bareEnv(home));
  const mark = randomUUID();
  const own = client.prepare({ home, project, model: model.url });
  const PATH = `${had.path}${delimiter}${process.env['PATH']}`;
  const env = bareEnv(home, { ...OFFLINE, ...own, [MARK]: mark, PATH });
  onTestFinished(() => killAll(mark, true));
  const installed = await belfry(home, ['install', client.name, ...options.install], { env });
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  writeFileSync(join(home, 'config.toml'), '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n');
  const begin = (): Promise<RunningDaemon> => startDaemon(home, { env: { ...OFFLINE, ...own, PATH, [MARK]: mark } });
  const log = (): string => readFileSync(pathsBelow(home).daemonLog, 'utf8');
  const result: JoinedWorld = {
    home,
    project,
    model,
    log,
    startDaemon: begin,
    daemon: await begin(),
    belfry: async (...args) => {
      const ran = await belfry(home, args);
      console.log(`belfry ${args.join(' ')}: ${ran.code} ${ran.stdout}${ran.stderr}`.trim());
      return ran;
    },
    open: async () => {
      const terminal = await openTerminal(folder, [...options.start(client.name), ...client.start], env, project);
      await client.begin?.(terminal);
      await terminal.shows(client.ready, LIMIT);
      return terminal;
    },
    prompt: (terminal, text) => terminal.enter(text),
    pidsOf: async (words) => {
      const { stdout } = await run('pgrep', ['-f', `${home}.*${words}`], bareEnv(home));
      return stdout.split('\n').filter(Boolean).map(Number);
    },
    once: (prompt) => {
      const [program = client.name, ...words] = [...options.start(client.name), ...client.once(prompt)];
      return run(program, words, { ...env, TERM: 'dumb' }, { cwd: project, limit: LIMIT });
    },
    questions: () => questionsIn(home),
    asked: (kind, before = []) =>
      until(
        async () =>
          (await questionsIn(home)).find(
            (q) => q.state === 'open' && q.kind === kind && !before.some(({ id }) => id === q.id),
          ),
        `an open question (${kind})`,
        LIMIT,
      ).catch((error: Error) => {
        throw new Error(`${error.message}:\n${log()}`);
      }),
    settled: (id, wanted) =>
      until(
        async () => (await questionsIn(home)).find((question) => question.id === id && question.state === wanted),
        `the question to be ${wanted}`,
        30_000,
      ).catch((error: Error) => {
        throw new Error(`${error.message}:\n${log()}`);
      }),
  };
  return result;
}
