// A tmux server of its own with one pane, whose output is recorded as the programs in it wrote it.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Place } from '../../src/model/session/place.ts';
import { until } from './wait.ts';

export interface TmuxServer {
  readonly socket: string;
  /** The pane. */
  readonly pane: string;
  /** Path of its terminal. */
  readonly tty: string;
  readonly tmux: (...words: readonly string[]) => string;
  /** What was written to the pane's terminal so far. */
  readonly written: () => string;
  /** A user option of the pane; empty: it is not set. */
  readonly option: (name: string, pane?: string) => string;
  /** The place of a session in it, as its hook's environment says it. */
  readonly place: Place;
  /** Attaches a terminal of this kind, of terminfo; what it was given so far. */
  attach(term: string): Promise<() => string>;
  close(): void;
}

/** Ended when the running test has finished, unless `owned` is false. */
export async function startTmux({
  owned = true,
  program = 'sleep 3600',
  config = '/dev/null',
} = {}): Promise<TmuxServer> {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-tmux-'));
  const [socket, record] = [join(folder, 's'), join(folder, 'written')];
  const env = { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', SHELL: '/bin/sh' };
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', config, ...words], { encoding: 'utf8', env });
  const close = (): void => {
    try {
      tmux('kill-server');
    } catch {
      // it has ended
    }
    rmSync(folder, { recursive: true, force: true });
  };
  if (owned) onTestFinished(close);
  tmux('new-session', '-d', '-s', 'main', '-x', '80', '-y', '24', program);
  const show = (format: string, pane = 'main'): string => tmux('display-message', '-p', '-t', pane, format).trimEnd();
  const [pane = '', tty = ''] = show('#{pane_id} #{pane_tty}').split(' ');
  tmux('pipe-pane', '-t', pane, `cat >'${record}'`);
  await until(() => existsSync(record), 'the recording');
  const attach = async (term: string): Promise<() => string> => {
    const child = spawn('script', ['-qfec', `tmux -S '${socket}' attach -t main`, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...env, TERM: term },
    });
    if (owned) onTestFinished(() => void child.kill());
    let given = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      given += text;
    });
    const attached = () => tmux('list-clients', '-F', '#{client_termname}').split('\n').includes(term);
    await until(attached, `${term} to be attached`);
    return () => given;
  };
  return {
    socket,
    pane,
    tty,
    tmux,
    attach,
    close,
    written: () => readFileSync(record, 'utf8'),
    option: (name, of = pane) => show(`#{${name}}`, of),
    place: { terminal: 'tmux', tty, tmux: { socket, pane }, windowId: null, paneId: null, display: null, ssh: null },
  };
}
