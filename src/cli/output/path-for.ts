// A path as it is shown: on a terminal with `~` for the home folder, and whole to programs.
import { homedir } from 'node:os';
import { sep } from 'node:path';
import type { Io } from '../io.ts';

/** For people on a terminal, and for what reads a pipe. */
export const pathFor = ({ tty }: Pick<Io, 'tty'>, path: string): string => (tty ? withTilde(path) : path);

/** The path with `~` in the place of the home folder. */
export function withTilde(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
