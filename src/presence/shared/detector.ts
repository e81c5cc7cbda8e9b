// The contract of a detector: one way to find out whether a person looks at a session, is idle, or has locked the screen.
import type { Evident } from '../../model/presence/presence.ts';
import type { Place } from '../../model/session/place.ts';

/** What a detector found. `evidence`: for people, a clause without its full stop. */
export interface Finding {
  readonly about: 'looking' | 'idle' | 'locked';
  readonly answer: Evident;
  readonly evidence: string;
  /** The last input at the terminal (`looking`) or on the desktop (`idle`) that shows the session, Unix ms: certainly not earlier. */
  readonly input?: number;
}

/** A process in a terminal that shows the session: the agent itself, or what is attached to its multiplexer. */
export interface Viewer {
  /** Null: not known. */
  readonly pid: number | null;
  /** What its environment says of its terminal and desktop. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Of which session, and what is known of it before anybody is asked. */
export interface Subject {
  readonly place: Place;
  readonly viewers: readonly Viewer[];
  readonly platform: NodeJS.Platform;
  /** Without input for so long a person is idle, ms. */
  readonly idle: number;
  /** Unix ms. */
  readonly now: number;
}

/** Runs a program and resolves with what it prints; null: it failed, is not there, or the time is up. It is ended then. */
export type Run = (
  program: string,
  args: readonly string[],
  env?: Readonly<Record<string, string | undefined>>,
) => Promise<string | null>;

/** One way. */
export interface Detector {
  readonly name: string;
  /** What it can say something about. */
  readonly about: readonly Finding['about'][];
  /** Whether there is any point in asking; cheap. */
  readonly applies: (subject: Subject) => boolean;
  /** What it found; nothing at all is unknown. Rejects for bugs only. */
  readonly detect: (subject: Subject, run: Run) => Promise<readonly Finding[]>;
}

/** Declares one; the type is checked, nothing else happens. */
export function defineDetector(detector: Detector): Detector {
  return detector;
}

/** Whether the person looks at that session. `input`: the last one in its terminal, where it is known. */
export const looking = (answer: Evident, evidence: string, input: number | null = null): Finding => ({
  about: 'looking',
  answer,
  evidence,
  ...(input !== null && { input }),
});
