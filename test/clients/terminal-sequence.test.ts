// The real client writes to its own terminal what a channel hands it, where the daemon cannot reach that terminal.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { answerWorld } from './answer-world.ts';
import { openTerminal } from './terminal.ts';

const SETTINGS = `[channels.term]
type = "terminal"
sequence = "osc777"
by_client = true
[[routes]]
match = { kind = "agent.waiting" }
to = ["term"]
`;

it('a prompt is shown by the client itself', async () => {
  const world = await answerWorld();
  if (world === null) return;
  const { home, project, env } = world;
  expect(await world.belfry('install', 'claude', '--terminal')).toMatchObject({ code: 0 });
  await world.daemon.stop();
  writeFileSync(join(home, 'config.toml'), SETTINGS);
  await startDaemon(home);
  const folder = temporaryFolder();
  // It says that it is in a tmux that nobody can reach.
  const command = ['env', 'TMUX=/nowhere/tmux,1,0', 'TMUX_PANE=%0', 'claude'];
  const terminal = await openTerminal(folder, command, env, project);
  await terminal.shows(/^\s*[❯>]\s/m);
  const record = join(folder, 'written');
  const socket = readdirSync(folder).find((name) => name.startsWith('tmux-')) ?? '';
  execFileSync('tmux', ['-S', join(folder, socket), 'pipe-pane', '-t', 'main', `cat >'${record}'`]);
  await until(() => existsSync(record), 'the recording');
  await world.prompt(terminal, 'touch allowed.txt');
  await terminal.shows('Do you want to proceed?');
  const written = await until(() => {
    const text = readFileSync(record, 'utf8');
    return text.includes('777;notify') && text;
  }, 'the sequence');
  expect(written).toMatch(/\]777;notify;project: Claude needs permission to run Bash;/);
  const { stdout } = await world.belfry('deliveries', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ channel: 'term', state: 'sent' }]);
});
