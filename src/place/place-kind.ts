// The contract of a kind of place: one way to bring what shows a session to the front of the screen.
import type { Run, Viewer } from '../presence/shared/detector.ts';

/** One step on the way to a session, as it went. */
export interface Step {
  readonly what: 'pane' | 'window';
  readonly done: boolean;
  /** For people, a clause without its full stop: "pane %3 of tmux is selected on /dev/pts/4". */
  readonly text: string;
}

/** Whether a step will work here. */
export interface Ability {
  readonly what: Step['what'];
  readonly able: boolean;
  /** By what, or why not: "tmux", "GNOME on Wayland". */
  readonly text: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** A process, and those above it. */
export interface Above {
  readonly pid: number;
  readonly name: string;
}

/** What a kind works with; handed in. */
export interface PlaceTools {
  readonly platform: NodeJS.Platform;
  readonly run: Run;
  /** Whether a program is installed. */
  readonly has: (program: string) => boolean;
  /** The process with this pid first, then its parent and so on; empty: it is gone, or cannot be seen. */
  readonly above: (pid: number) => Promise<readonly Above[]>;
  /** Asks until it is true, for a second at most. */
  readonly becomes: (isTrue: () => Promise<boolean>) => Promise<boolean>;
  /** Whether the window of something in this terminal can be brought to the front. */
  readonly canRaise: (viewer: Viewer) => boolean;
}

/** What is to be shown. */
export interface Target {
  /** The agent itself, or the terminal of the multiplexer that shows it. */
  readonly viewer: Viewer;
  /** The session's folder; null: not known. */
  readonly cwd: string | null;
}

/** How it went. `next`: of a multiplexer, the terminal that shows it now; null: nothing more can be done. */
export interface Went {
  readonly steps: readonly Step[];
  readonly next?: Viewer | null;
}

/** One way. */
export interface PlaceKind {
  readonly name: string;
  /** Which comes first: a pane of a multiplexer, then a tab of a terminal, then the window. */
  readonly level: 'multiplexer' | 'terminal' | 'window';
  /** Whether it is that kind; cheap. */
  readonly applies: (viewer: Viewer, platform: NodeJS.Platform) => boolean;
  /** Does it, after a look at whether the pane or window still belongs to the process. Rejects for bugs only. */
  readonly focus: (target: Target, tools: PlaceTools) => Promise<Went>;
  /** Whether it would work, with nothing done. */
  readonly ability: (viewer: Viewer, tools: PlaceTools) => Promise<Ability>;
}

/** Declares one; the type is checked, nothing else happens. */
export function definePlace(kind: PlaceKind): PlaceKind {
  return kind;
}

/** A step that was done, and one that was not. */
export const done = (what: Step['what'], text: string): Step => ({ what, done: true, text });
export const failed = (what: Step['what'], text: string): Step => ({ what, done: false, text });

/** The ability that one of these programs gives. */
export function byProgram(
  what: Step['what'],
  text: string,
  programs: readonly string[],
  { has }: Pick<PlaceTools, 'has'>,
): Ability {
  if (programs.some(has)) return { what, able: true, text };
  const names = programs.join(' or ');
  return { what, able: false, text: `${text} without ${names}`, fix: `install ${names}` };
}
