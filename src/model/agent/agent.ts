// The contract of an agent: everything Belfry knows about one client is in its one file under src/agents.
import type { Answering } from '../question/answering.ts';
import type { Kind, Urgency } from '../event/event.ts';
import type { Joining } from './joining.ts';
import type { ClientPlugin } from './plugin.ts';
import type { AgentLimits, LimitReached } from './limits.ts';
import type { StopCause } from '../session/stop-causes.ts';
import type { Wrapping } from './wrapping.ts';

/** What an input says about the life of its session; the session record follows it. */
export type SessionSignal =
  | 'started' // a session began or was resumed
  | 'prompted' // work was given, by the user (then `prompt` says what) or by the client itself
  | 'activity' // it did something (a tool, a compaction)
  | 'waiting' // waits for the user
  | 'resolved' // the request it waited for was answered
  | 'finished' // a turn is over
  | 'subagent-started'
  | 'subagent-finished'
  | 'turn-over' // idle: the turn is over; where neither a finish nor a failure came since the prompt, the user stopped it
  | 'compacted' // its history was compacted: an end of the turn that follows at once is that of the compaction
  | 'interrupted' // the user stopped the turn; a `finished` that follows without a prompt only repeats it, as after `failed`
  | 'closing' // it stopped its turn because it is killed or its terminal is closed; a `finished` that follows is none
  | 'ended'
  | 'failed'
  | 'none';

/** A background task or subagent that a client says still runs. */
export interface BackgroundTask {
  readonly id: string | null;
  /** shell, subagent, ... as the client calls it. */
  readonly type: string;
  /** Command or description, for "still running: ...". */
  readonly label: string | null;
}

/** A hook input in Belfry's terms. The pipeline adds what only the session record knows (idle after a reported finish, urgency of `other`). */
export interface ParsedHook {
  readonly kind: Kind;
  readonly signal: SessionSignal;
  /** The client's event name; `unknown` when it gave none. */
  readonly hookEvent: string;
  readonly sessionId: string | null;
  readonly cwd: string | null;
  /** What the client says, or asks: a question with its options, a plan. */
  readonly message: string | null;
  readonly reason: string | null;
  readonly abnormal: boolean;
  /** True for an end whose reason is the person's own act, such as /clear: it cuts nothing off. */
  readonly byUser: boolean;
  readonly turnBegan: boolean; // of an end: it names a turn, so work was given, though one-shot mode reports no prompt
  readonly detail: string | null;
  readonly urgency: Urgency;
  /** Last message of the assistant, when the input carries it. */
  readonly lastAssistantMessage: string | null;
  /** The user's request, when the input carries it and it is not synthetic. */
  readonly prompt: string | null;
  /** The client's id of the tool use that the input is about. */
  readonly toolUseId: string | null;
  /** It only says how the session goes on: no event is kept of it. */
  readonly isSignal: boolean;
  /** Tool that permission is asked for, and what for: a command whole, anything else on one line. */
  readonly tool: { readonly name: string; readonly summary: string | null } | null;
  /** Transcript the client names. */
  readonly transcript: string | null;
  /** Id of the occurrence itself, where the client gives one (a Stop's message id, a tool use); never one many events share. */
  readonly occurrence: string | null;
  /** Two inputs of one session with the same key are one request to the user (Claude's PermissionRequest and Notification); null: none. */
  readonly correlationKey: string | null;
  /** True for an input that only repeats, seconds later, a request that another hook event opened; without that opening it is reported like any other. Two openings are two requests. */
  readonly isFollowUp: boolean;
  /** True for an input that the client sends even when nobody is asked: reported only in a session without a record. */
  readonly speculative: boolean;
  /** What still runs, when the input lists it; null when the client does not say. */
  readonly running: readonly BackgroundTask[] | null;
  /** Ms that a held finish still waits after the last background work has ended, where the client resumes on its own; 0: it does not; null: not known. */
  readonly resumesWithinMs: number | null;
  /** Ms within which the client may yet decide by itself what it asks: nobody is notified before. Null: it has decided. */
  readonly settlesWithinMs: number | null;
  /** The subagent an input is about. */
  readonly subagent: { readonly id: string | null; readonly name: string | null } | null;
  /** Session this one is a subagent of, when known. */
  readonly parentSessionId: string | null;
  readonly title: string | null; // of the session, where the client gives one
  /** Seconds the turn took, where the client says so. */
  readonly seconds: number | null;
  /** The account's limit that a turn met, where the input or its transcript says so. */
  readonly limit: LimitReached | null;
  /** Fields no adapter knows, kept whole. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

/** What an adapter is given besides the input. */
export interface ParseHints {
  /** `--event`. */
  readonly event: string | null;
  readonly env: Readonly<Record<string, string>>; // selected variables of the hook's
  /** Session-end reasons that count as abnormal, from config or the agent's default. */
  readonly abnormalReasons: readonly string[];
}

/** Where and how an agent's hooks are written; the installers do the writing. */
export interface AgentSettings {
  /** User-level file, from `home` and the environment; absolute. */
  readonly user: (at: {
    home: string;
    env: Readonly<Record<string, string | undefined>>;
    platform: NodeJS.Platform;
  }) => string;
  /** Project-level file relative to the project's root; null when the client has none. */
  readonly project: string | null;
  /** JSON path of the object keyed by event name ([] = top level). */
  readonly hooksPath: readonly string[];
  /** Other keys that the file must hold, e.g. `version: 1`. */
  readonly requiredKeys: Readonly<Record<string, unknown>>;
  /** `nested`: `[{matcher?, hooks:[{type, command, timeout}]}]`; `flat`: `[{type?, command|bash, timeoutSec?}]` built by `entry`; `module`: the whole file is a script made by `module`. */
  readonly shape: 'nested' | 'flat' | 'module';
  /** Builds one entry of `shape` flat. */
  readonly entry?: (command: string, timeoutSeconds: number) => Record<string, unknown>;
  /** Key that holds the command in one entry of `shape` flat. */
  readonly commandKey?: string;
  /** Text of the file of `shape` module; `command` is the hook's command line, `asker` the URL of what asks for answers, where they are wanted. */
  readonly module?: (command: string, asker?: string) => string;
  /** Unit of `timeout`. */
  readonly timeoutUnit: 'seconds' | 'milliseconds';
  /** A second user-level file with the events at its own `at`, used when it exists: an event named there is not run from `user`. */
  readonly override?: {
    readonly user: AgentSettings['user'];
    readonly hooksPath: readonly string[];
    readonly project: string | null;
  };
}

/** One event of a client that Belfry installs a hook for. */
export interface AgentEvent {
  readonly name: string;
  /**
   * `notify`: what people are notified of; `track`: feeds the session record only (and so the urgency of its end); `signal`: says that a
   * prompt was answered, its hook leaves at once while none is open. The last two are left out by `--minimal`.
   */
  readonly role: 'notify' | 'track' | 'signal';
  /** First client version that knows the name; absent: every one. An unknown version counts as older. */
  readonly since?: string;
  /** For docs/agents/NAME.md: what it becomes. */
  readonly becomes: string;
  /** What is missed without it, for an event that older clients do not know: "you are not notified of ...". */
  readonly missedWithout?: string;
  /** Seconds; 10 unless the client clamps it. */
  readonly timeout?: number;
  /** Only for these tools, in the client's own form of a matcher; for `shape` nested. */
  readonly matcher?: string;
  /** `--event NAME` is written into the command, for clients whose input names no event. */
  readonly named?: boolean;
}

/** Whether a client will run what is installed. */
export type Trust =
  | { readonly trusted: true }
  | { readonly trusted: false; readonly fix: string }
  | { readonly trusted: null };

/** What the end of a transcript says about the session's latest turn, beyond what hooks tell. */
export interface TurnEvidence {
  /** retrying: it is under way, and has failed for so long that its person may want to know. */
  readonly outcome: 'failed' | 'interrupted' | 'retrying';
  /** Of a failure: one of the causes of `session.failed`. */
  readonly cause: string | null;
  readonly message: string | null;
  /** Names the turn: read twice it is one. */
  readonly turn: string;
  /** The account's limit that it met, as `limits` of its client reads it. */
  readonly limit?: LimitReached | null;
}

/** Reports of failed requests that a client leaves in the folder for temporary files. */
export interface ErrorReports {
  /** When it was written by its name, Unix ms; null: it is no such report. */
  readonly writtenAt: (name: string) => number | null;
  /** By its beginning; null: it is not of the session with this transcript. */
  readonly read: (beginning: string, transcript: string) => Pick<TurnEvidence, 'cause' | 'message'> | null;
}

/** An agent as it is shown to people: its title, or the name of one that has none. */
export const displayName = (agent: string, title: string | undefined): string =>
  title ?? agent.charAt(0).toUpperCase() + agent.slice(1);

/** A client that runs hooks. */
export interface Agent {
  readonly name: string;
  readonly title: string; // as shown to people: Claude, Droid
  /** Whether an input without `--agent` is this client's; asked in the registry's order. */
  readonly matches: (input: Readonly<Record<string, unknown>>, hints: Pick<ParseHints, 'event' | 'env'>) => boolean;
  /** Agents whose hooks this client also runs, so that its inputs come under their name. */
  readonly alsoRunsHooksOf?: readonly string[];
  /** Never throws for an object; unknown events become `agent.other`. */
  readonly parse: (input: Readonly<Record<string, unknown>>, hints: ParseHints) => ParsedHook;
  /** Fields of the input that hold the session's id, the best first; `a.b`: the field b of the object a. */
  readonly sessionFields: readonly string[];
  readonly abnormalReasons: readonly string[];
  /** Null for `generic`: nothing to install. */
  readonly settings: AgentSettings | null;
  readonly events: readonly AgentEvent[];
  /** For clients that also take Belfry as a plugin or extension of their own. */
  readonly plugin?: ClientPlugin;
  /** `--print` text the client wants on stdout, per event; null: silent. */
  readonly stdoutFor: (event: string) => string | null;
  /** Names the client's process has in a process list, to find it among a hook's ancestors. */
  readonly processNames: readonly string[];
  readonly commandsRunBy?: readonly string[]; // those of them that run commands for it, where others are an editor, in whose terminals people type; absent: all
  readonly commandVariables: readonly string[]; // that it sets for the commands that it runs, and nothing else does: whoever has one is no person
  /** Executables to ask for a version, e.g. ['claude', '--version']; null when there is none. */
  readonly version: readonly string[] | null;
  /** Folders below the home folder where the client's own installer puts that program, for shells that know it by an alias only. */
  readonly installFolders?: readonly (readonly string[])[];
  /** Reads the transcript's last records, oldest first, where they tell what no hook does; null: they say nothing. Forms it does not know say nothing. */
  readonly transcript?: {
    readonly read: (records: readonly unknown[]) => TurnEvidence | null;
    /** What it tells, for docs/agents/NAME.md. */
    readonly tells: string;
    /** When it is read besides, as the client has no event: while a turn runs, for its failure; while a prompt is open, for its being declined. */
    readonly watch: 'working' | 'waiting' | null;
    /** Read instead of `read` while a turn runs: its client tries a request again and again, and says so nowhere else. */
    readonly retrying?: (records: readonly unknown[]) => TurnEvidence | null;
    /** Where it is, for inputs that do not name it. */
    readonly at?: (session: { readonly home: string; readonly sessionId: string }) => string;
    /** Ms within which the client writes what came before a hook; absent: it has written it when the hook runs. */
    readonly writtenWithin?: number;
    /** Its failure event comes at each try of a request: where it can be read, it alone tells of a failure. */
    readonly decidesFailures?: true;
    /** Its finish is one, whatever stands there yet: of what failed it has another event, or none. */
    readonly trustsFinish?: true;
    /** Background work that still runs, where no hook lists it. */
    readonly running?: (records: readonly unknown[]) => readonly BackgroundTask[];
    /** How its path ends: where the client's folder was moved out of the home, a file of the user's own that is called so is read. */
    readonly path?: RegExp;
    /** Looked for where a session ends in the middle of work and its transcript does not say why. */
    readonly reports?: ErrorReports;
  };
  /** Set where something is known of the limits of its account. */
  readonly limits?: AgentLimits;
  /** Whether leaving without any event is this client's ordinary way while it is at rest. */
  readonly exitsWithoutEvent: boolean;
  /** Set where its sessions are also sessions of the organization's service: no other's ids are ever sent there. */
  readonly knownToService?: true;
  /** Whether trust is given, where the client needs it; reads files only through `read`. */
  readonly trust?: (at: { home: string; settingsFile: string; read: (path: string) => string | null }) => Trust;
  /** Set where a person may answer it from elsewhere. */
  readonly answering?: Answering;
  /** Set where its running sessions can be joined: once answering is installed, such a session's hooks need not hold it. */
  readonly joining?: Joining;
  /** Set where it can be answered beside its prompt when `belfry run` starts it. */
  readonly wrapping?: Wrapping;
  /** After what its session takes its next instruction from elsewhere, where answering is installed; left away: after nothing, or it goes on by itself. */
  readonly continues?: readonly StopCause[];
  /** For docs/agents/NAME.md. */
  readonly docs: {
    /** Client version the facts were seen with, or 'from its documentation only'. */
    readonly seen: string;
    /** Each end reason: what it means in practice. */
    readonly reasons: Readonly<Record<string, string>>;
    /** What the client does not report, and why. */
    readonly cannot: readonly string[];
  };
}

/** Declares an agent; the type is checked, nothing else happens. */
export const defineAgent = (agent: Agent): Agent => agent;
