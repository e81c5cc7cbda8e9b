// What channels end at that have no service: programs of this machine that record what they were run with, and a terminal.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { recordingPrograms } from '../recording-programs.ts';
import { startTmux } from '../tmux-server.ts';
import type { Seen } from './peer.ts';

/** Trouble for a while. */
export interface Trouble {
  readonly name: string;
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

/** One of them. */
export interface LocalPeer {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Variables of the daemon, and of whoever uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** What was heard, or can be seen now. */
  readonly seen: () => readonly Seen[];
  readonly troubles: readonly Trouble[];
  /** For good. */
  readonly last: Omit<Trouble, 'end'>;
}

const lines = (texts: readonly string[]): readonly Seen[] =>
  texts.map((text, index) => ({ id: String(index), lines: [text] }));

/** A program that works unless a file of the trouble's name is there. */
function programPeer(name: string, works: string, read: (recorded: string) => readonly Seen[]) {
  const {
    tools,
    read: recorded,
    make,
    remove,
  } = recordingPrograms({ [name]: `[ -e broken ] && exit 1\n[ -e killed ] && kill -9 $$\n${works}` }, '');
  const { PATH = '' } = tools.env;
  make('recorded');
  return {
    env: { PATH },
    seen: () => read(recorded('recorded')),
    during: (trouble: string) => ({ begin: () => make(trouble), end: () => remove(trouble) }),
    uninstall: () => rmSync(join(PATH.replace(/:$/, ''), name)),
  };
}

const rows = (text: string): string[] => text.split('\n').filter((line) => line !== '');

export async function soundPeer(): Promise<LocalPeer> {
  const { env, seen, during, uninstall } = programPeer('pw-play', 'echo "${2##*/}" >>recorded', (recorded) =>
    lines(rows(recorded).map((file) => `♪ the sound for ${file.replace('.wav', '')}`)),
  );
  return {
    settings: { volume: 0.5 },
    env,
    seen,
    troubles: [
      { name: 'no sound server', ...during('broken') },
      { name: 'player killed', ...during('killed') },
    ],
    last: { name: 'no player', begin: uninstall },
  };
}

export async function speechPeer(): Promise<LocalPeer> {
  const { env, seen, during, uninstall } = programPeer(
    'espeak-ng',
    'read -r text; echo "$text" >>recorded',
    (recorded) => lines(rows(recorded).map((text) => `“${text}”`)),
  );
  return {
    settings: { text: '{title}' },
    env,
    seen,
    troubles: [
      { name: 'no sound server', ...during('broken') },
      { name: 'voice killed', ...during('killed') },
    ],
    last: { name: 'no voice', begin: uninstall },
  };
}

/** A notification as it was written into the pane, and a bell after it or alone. */
const WRITTEN = /\x1bPtmux;\x1b\x1b\]777;notify;([^;\x1b]*);([^\x1b]*)\x1b\x1b\\\x1b\\(\x07?)|(\x07)/g;

export async function terminalPeer(): Promise<LocalPeer> {
  const server = await startTmux();
  server.tmux('set', '-g', 'allow-passthrough', 'on');
  await server.attach('rxvt-unicode');
  const { socket, pane, tmux, written, option } = server;
  const notes = (): Seen[] =>
    [...written().matchAll(WRITTEN)].map(([, title, body, bell, alone], index) => ({
      id: String(index),
      lines: [title, body, bell || alone ? '(bell)' : ''].filter((line): line is string => Boolean(line)),
    }));
  return {
    settings: { bell: true },
    env: { PATH: process.env['PATH'] ?? '', TMUX: `${socket},1,0`, TMUX_PANE: pane },
    // Without a pane there is no badge.
    seen: () => [...notes(), { id: 'badge', lines: [`badge: ${option('@belfry') || 'none'}`] }],
    troubles: [
      {
        name: 'stopped with Ctrl-S',
        begin: () => tmux('send-keys', '-t', pane, 'C-s'),
        end: () => tmux('send-keys', '-t', pane, 'C-q'),
      },
    ],
    last: {
      name: 'pane closed',
      begin: () => {
        tmux('new-window', '-d', 'sleep 3600');
        tmux('kill-pane', '-t', pane);
      },
    },
  };
}
