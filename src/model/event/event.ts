// An event: what happened, in Belfry's terms. Kinds and urgencies are those of docs/reference/json.md.
import type { Place } from '../session/place.ts';

export const KINDS = [
  'agent.waiting',
  'agent.finished',
  'subagent.finished',
  'session.ended',
  'session.failed',
  'controls.changed',
  'computer.failed',
  'readiness.dropped',
  'usage.daily',
  'session.idle',
  'channel.failing',
  'watch.failing',
  'settings.broken',
  'journal.failing',
  'belfry.upgraded',
  'limit.low',
  'limit.reached',
  'limit.reset',
  'remote.unreachable',
  'remote.flooding',
  'agent.other',
  'test',
] as const;
export type Kind = (typeof KINDS)[number];

/** Kinds a route matches only when it names them. */
export const OPT_IN_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'subagent.finished',
  'remote.unreachable',
  'agent.other',
]);

export const URGENCIES = ['low', 'normal', 'urgent'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** One thing that happened. Every field is set; null means not known. */
export interface Event {
  /** The envelope's id, or one made by the source. Stable from hook to receiver. */
  readonly id: string;
  readonly kind: Kind;
  /** Agent name of the registry; `belfry` for events of its own, `service` for watches. */
  readonly agent: string;
  /** Machine and user of the agent. */
  readonly host: string;
  readonly user: string;
  /** The agent's terminal; null where nothing is known of it. */
  readonly place: Place | null;
  /** The client's own event name. */
  readonly hookEvent: string | null;
  readonly sessionId: string | null;
  readonly cwd: string | null;
  /** Name of the git repository or folder. */
  readonly project: string | null;
  /** Branch, or worktree and branch, as shown to a person. */
  readonly branch: string | null;
  /** What the client said, redacted; one text, may have several lines. */
  readonly message: string | null;
  /** Reason of a session's end, as the client gave it. */
  readonly reason: string | null;
  readonly abnormal: boolean;
  /** permission, idle, question, background, rate-limit, vanished, ... */
  readonly detail: string | null;
  readonly urgency: Urgency;
  /** Unix ms. */
  readonly at: number;
  /** Title and body where the source supplies them (watches, `belfry send`); otherwise render writes them. */
  readonly presetText: { readonly title: string; readonly body: string } | null;
  /** Fields of the input Belfry does not know, and facts kept for the session record and for rendering; JSON. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A permission or a question: somebody has to answer it. */
export function isPrompt({ kind, detail }: Pick<Event, 'kind' | 'detail'>): boolean {
  return kind === 'agent.waiting' && (detail === 'permission' || detail === 'question');
}
