// Makes docs/pictures/tmux.png: the status line of tmux as docs/channels/terminal.md sets it, with a session that waits and one that has finished, through the
// built hook and daemon.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BELFRY, bareEnv, hook, run } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { startVirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';
import { COLOURS, docs } from './looks.ts';

const page = readFileSync(new URL('../../docs/channels/terminal.md', import.meta.url), 'utf8');
const [, lines = ''] = /```tmux\n([^`]*)```/.exec(page) ?? [];
const LOOK = `set -g status-style 'bg=#232834,fg=#c3c9d5'\nset -g status-left ' '\nset -g status-right ''\nset -g window-status-separator '   '\n`;

const home = mkdtempSync(join(tmpdir(), 'belfry-picture-'));
const [socket, config] = [join(home, 'tmux'), join(home, 'tmux.conf')];
writeFileSync(config, LOOK + lines);
writeFileSync(join(home, 'config.toml'), '[channels.term]\ntype = "terminal"\n[[routes]]\nto = ["term"]\n', {
  mode: 0o600,
});
const env = { PATH: process.env['PATH'], HOME: home, LC_ALL: 'C.UTF-8', SHELL: '/bin/sh' };
const tmux = (...words: readonly string[]): string =>
  execFileSync('tmux', ['-S', socket, '-f', config, ...words], {
    env: { ...env, TERM: 'xterm-256color' },
    encoding: 'utf8',
  });

const screen = await startVirtualDesktop({ size: [700, 120], server: false });
const daemon = run(process.execPath, [BELFRY, 'daemon'], bareEnv(home));
let terminal: ChildProcess | null = null;

/** A hook of a client in this pane. */
const told = (pane: string, event: string, name: string, more: object): Promise<unknown> => {
  const { input } = sample('claude', event, name);
  const place = { TMUX: `${socket},1,0`, TMUX_PANE: pane };
  return hook(home, JSON.stringify({ ...input, session_id: pane, cwd: home, ...more }), ['--agent', 'claude'], {
    env: place,
  });
};

try {
  tmux('new-session', '-d', '-s', 'main', '-n', 'payments', '-x', '80', '-y', '3', 'sleep 600');
  tmux('new-window', '-n', 'shop', 'sleep 600');
  tmux('new-window', '-n', 'docs', "printf '$ vim guide.md'; sleep 600");
  const font = ['-fa', 'DejaVu Sans Mono', '-fs', '13', '-bg', '#12151c', '-fg', '#c3c9d5'];
  const look = [...font, '-geometry', '66x3+0+0', '-b', '6', '-e', 'tmux', '-S', socket, 'attach'];
  terminal = spawn('xterm', look, { env: { ...env, ...screen.env }, stdio: 'ignore' });
  await until(() => tmux('list-clients') !== '', 'the terminal');
  await until(async () => (await run(process.execPath, [BELFRY, 'status'], bareEnv(home))).code === 0, 'the daemon');
  const tool = { tool_name: 'Bash', tool_input: { command: 'npm publish', description: 'Publish it' } };
  await told('%0', 'PermissionRequest', 'tui-permission-deny', tool);
  await told('%1', 'Stop', 'print-plain', {});
  const badge = (pane: string): string => tmux('display-message', '-p', '-t', pane, '#{@belfry}').trim();
  await until(() => badge('%0') === 'waiting' && badge('%1') === 'finished', 'the badges');
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // nothing says when it is drawn
  await screen.screenshot(docs('tmux'), '-trim', '+repage', ...COLOURS);
} finally {
  await run(process.execPath, [BELFRY, 'stop'], bareEnv(home));
  await daemon;
  terminal?.kill();
  tmux('kill-server');
  await screen.close();
  rmSync(home, { recursive: true, force: true });
}
