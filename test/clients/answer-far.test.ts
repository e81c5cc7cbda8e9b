// Real clients on a machine elsewhere, by a real sshd and offline: what they ask there is answered from a chat here, as at home.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { questionsIn } from '../support/answering.ts';
import { farMachine, untilState } from '../support/far-machine.ts';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, run } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import type { AnswerWorld } from './answer-world.ts';
import { ASKED_CLIENTS } from './asked-clients.ts';
import { claudeTool, copilotTool, opencodeTool } from './asked-tools.ts';
import { ANSWERS } from './elsewhere-scenarios.ts';
import type { Scene } from './elsewhere-scene.ts';
import { chat } from './elsewhere-ways.ts';
import { obtain } from './obtain.ts';
import type { WantedTool } from './model/protocol.ts';
import { claude } from './real/claude.ts';
import type { ScenarioClient } from './real/client.ts';
import { askedCopilot } from './real/copilot.ts';
import { opencode } from './real/opencode.ts';
import { openTerminal } from './terminal.ts';
import { startToolModel } from './tool-model.ts';

/** After so many ms a line is typed again into a client that may lose it while it draws. */
const READY = 20_000;
/** For what a client does, ms. */
const LIMIT = 240_000;

const CLIENTS: readonly (readonly [client: ScenarioClient, choose: (text: string) => WantedTool | null])[] = [
  [claude, claudeTool],
  [opencode, opencodeTool],
  [askedCopilot, copilotTool],
];

it.each(CLIENTS)('$name there, answered from a chat here', async (client, choose) => {
  const folder = temporaryFolder();
  const had = await obtain(client, folder);
  if ('reason' in had) return console.log(had.reason);
  const path = `${had.path}${delimiter}${process.env['PATH'] ?? ''}`;
  const far = await farMachine({ path });
  if (far === null) return console.log('sshd is needed (openssh-server)');
  const { home, own } = far;
  const model = await startToolModel(choose);
  const project = join(home, 'project');
  mkdirSync(project);
  await run('git', ['init', '-q', project], bareEnv(home));
  rmSync(join(home, '.claude'), { recursive: true });
  const env = bareEnv(home, {
    ...client.prepare({ home, project, model: model.url }),
    HOME: home,
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    PATH: path,
  });
  const way = await chat();
  writeFileSync(join(own, 'config.toml'), way.config(), { mode: 0o600 });
  const daemon = await far.daemon();
  await way.begin(own);
  const added = await far.belfry('remote', 'add', 'box', '--yes', '--answer', '--agent', client.name);
  expect(added.code, added.stderr).toBe(0);
  await untilState(far, 'connected');
  expect(added.stdout).toMatch(/You can answer .* on box from here\./);
  const one = ASKED_CLIENTS.find((asked) => asked.client === client.name);
  if (one === undefined) throw new Error(`${client.name} is not answered from elsewhere`);
  const terminal = await openTerminal(folder, [client.name, ...client.start], env, project);
  await client.begin?.(terminal);
  await terminal.shows(client.ready);
  const questions = () => questionsIn(own);
  const w: AnswerWorld = {
    home: own,
    project,
    model,
    env,
    daemon,
    questions,
    belfry: (...args) => far.belfry(...args),
    startDaemon: () => far.daemon(),
    open: async () => terminal,
    prompt: (at, text) => (client === claude ? at.enter(text) : at.enter(text, READY)),
    once: () => Promise.reject(new Error('nothing is run once there')),
    asked: (kind, before = []) =>
      until(
        async () =>
          (await questions()).find(
            (q) => q.state === 'open' && q.kind === kind && !before.some(({ id }) => id === q.id),
          ),
        `an open question (${kind})`,
        LIMIT,
      ),
    settled: (id, state) =>
      until(
        async () => (await questions()).find((q) => q.id === id && q.state === state),
        `a question that is ${state}`,
      ),
  };
  const scene: Scene = { one, w, way, terminal };
  for (const { name, has, play } of ANSWERS)
    if (has?.(one, 'a chat') !== false) {
      console.log(`${client.name} there: ${name}`);
      await play(scene);
    }
  await way.offers();
  expect(await way.open()).toEqual([expect.stringContaining('project on box')]);
});
