// A real client that is answered from inside, by our plugin or extension: in a terminal, offline against a local model, with a daemon to answer through.
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import type { Question } from '../../src/model/question/question.ts';
import { questionsIn } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry, type Ran, run, type RunningDaemon, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import type { WantedTool } from './model/protocol.ts';
import { obtain } from './obtain.ts';
import type { ScenarioClient } from './real/client.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { startToolModel, type ToolModel } from './tool-model.ts';

/** For what a client does; it may be half a gigabyte. */
const LIMIT = 240_000;
const READY = 20_000;
const QUIET = '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = []\n';

/** All of it. */
export interface InsideWorld {
  readonly home: string;
  readonly project: string;
  readonly model: ToolModel;
  daemon: RunningDaemon;
  startDaemon(): Promise<RunningDaemon>;
  belfry(...args: readonly string[]): Promise<Ran>;
  /** A new session, at its empty prompt. */
  open(): Promise<Terminal>;
  /** Types a prompt and sends it. */
  prompt(terminal: Terminal, text: string): Promise<void>;
  questions(): Promise<readonly Question[]>;
  /** The open question, once there is one that `before` did not have. */
  asked(kind: Question['kind'], before?: readonly Question[]): Promise<Question>;
  settled(id: string, state: Question['state']): Promise<Question>;
  /** One-shot run. */
  once(prompt: string): Promise<Ran>;
}

/** Null, with the reason printed, where the client or tmux cannot be had. `choose`: the model's tool for what was said; `args`: of a start; `install`: how `belfry install` is called for it. */
export async function insideWorld(
  client: ScenarioClient,
  choose: (text: string) => WantedTool | null,
  args: readonly string[] = [],
  install: readonly string[] = ['--answer'],
): Promise<InsideWorld | null> {
  const folder = temporaryFolder();
  const had = await obtain(client, folder);
  const tmux = await run('sh', ['-c', 'command -v tmux'], bareEnv(folder));
  if ('reason' in had || tmux.code !== 0) {
    console.log('reason' in had ? had.reason : 'tmux is needed');
    return null;
  }
  const model = await startToolModel(choose);
  const home = temporaryFolder('belfry-home-');
  const project = join(home, 'project');
  mkdirSync(project);
  await run('git', ['init', '-q', project], bareEnv(home));
  const env = bareEnv(home, {
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    ...client.prepare({ home, project, model: model.url }),
    PATH: `${had.path}${delimiter}${process.env['PATH']}`,
  });
  const installed = await belfry(home, ['install', client.name, ...install], { env });
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  writeFileSync(join(home, 'config.toml'), QUIET);
  const questions = (): Promise<readonly Question[]> => questionsIn(home);
  const find = async (wanted: (question: Question) => boolean, what: string): Promise<Question> =>
    until(async () => (await questions()).find(wanted), what, LIMIT);
  return {
    home,
    project,
    model,
    questions,
    daemon: await startDaemon(home),
    startDaemon: () => startDaemon(home),
    belfry: async (...words) => {
      const ran = await belfry(home, words);
      console.log(`belfry ${words.join(' ')}: ${ran.code} ${ran.stdout}${ran.stderr}`.trim());
      return ran;
    },
    open: async () => {
      const terminal = await openTerminal(folder, [client.name, ...client.start, ...args], env, project);
      await client.begin?.(terminal);
      await terminal.shows(client.ready, LIMIT);
      return terminal;
    },
    prompt: (terminal, text) => terminal.enter(text, READY),
    asked: (kind, before = []) =>
      find(
        (q) => q.state === 'open' && q.kind === kind && !before.some(({ id }) => id === q.id),
        `an open question (${kind})`,
      ),
    settled: (id, state) => find((q) => q.id === id && q.state === state, `the question to be ${state}`),
    once: (prompt) => run(client.name, client.once(prompt), { ...env, TERM: 'dumb' }, { cwd: project, limit: LIMIT }),
  };
}
