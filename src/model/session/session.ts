// The session's record: what is known about one session of an agent.
import type { BackgroundTask } from '../agent/agent.ts';
import type { SessionKey } from '../ids.ts';

export const SESSION_STATES = [
  'started',
  'working',
  'waiting',
  'background',
  'finished',
  'failed',
  'ended',
  'unknown',
] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** The client's process, when it could be found among the hook's ancestors. */
export interface ClientProcess {
  readonly pid: number;
  /** Kernel start time, to know a reused pid. */
  readonly start: string;
  readonly name: string;
  /** What started it, as its first hook or its latest prompt showed; another one since: that is gone. */
  readonly parent?: number;
  /** The machine elsewhere that it is a process of; absent: this one. */
  readonly where?: string;
  /** Path of the terminal that it was on then. */
  readonly tty?: string;
}

/** What a session is called among others: its project, its title, or the beginning of its id. */
export const sessionName = ({
  project,
  title,
  sessionId,
}: Pick<SessionRecord, 'project' | 'title' | 'sessionId'>): string => project ?? title ?? sessionId.slice(0, 8);

/** One session. Times are Unix ms. */
export interface SessionRecord extends SessionKey {
  /** Grows with each write; 0: never written. */
  readonly version: number;
  readonly state: SessionState;
  /** When this state began. */
  readonly since: number;
  readonly firstSeen: number;
  readonly lastEvent: number;
  readonly cwd: string | null;
  readonly project: string | null;
  readonly branch: string | null;
  readonly title: string | null;
  readonly transcript: string | null;
  /** What it waits for: permission, question, idle. */
  readonly waitingFor: string | null;
  readonly lastAssistantMessage: string | null;
  /** Start of the turn under way or last ended; null: not known. */
  readonly turnStarted: number | null;
  /** When a finish was last reported; null when a prompt came since or none was reported. */
  readonly finishedSincePrompt: number | null;
  /** When a prompt was last seen. */
  readonly promptedAt: number | null;
  readonly running: readonly BackgroundTask[];
  readonly subagents: readonly string[];
  readonly parentSessionId: string | null;
  /** Null: it cannot be seen from here (container, SSH) or was not found; death is then unknown, not assumed. */
  readonly process: ClientProcess | null;
  /** Further facts of the pipeline (last end, open requests); JSON. */
  readonly memory: Readonly<Record<string, unknown>>;
}
