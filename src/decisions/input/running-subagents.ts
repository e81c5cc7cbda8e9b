// Subagents that are sessions of their own and still run: they hold the finish of the session that began them.
import type { SessionSignal } from '../../model/agent/agent.ts';
import type { Config } from '../../model/settings/config.ts';
import type { SessionKey } from '../../model/ids.ts';
import type { Incoming } from '../../model/event/incoming.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { memoryOf } from '../../pipeline/index.ts';
import type { Store } from '../../store/contract.ts';

/** Signals after which it matters which subagents run, and the states in which they do. */
const ENDS_WORK: ReadonlySet<string> = new Set(['finished', 'subagent-finished']);
const RUNNING: ReadonlySet<string> = new Set(['started', 'working', 'waiting', 'background', 'unknown']);
/** Signals after which a subagent that is a session of its own runs no more. */
const IS_OVER: ReadonlySet<SessionSignal> = new Set<SessionSignal>(['finished', 'interrupted', 'failed', 'ended']);
/** Ms for which a subagent that says nothing counts as running, where no `background_wait` is set. */
const BACKGROUND_MS = 600_000;

/** Sessions that another began and that still run, of those that said something since then (Unix ms). */
export async function runningChildren(
  store: Pick<Store, 'sessions'>,
  parent: SessionKey,
  since: number,
): Promise<readonly SessionRecord[]> {
  const { agent, host, user, sessionId } = parent;
  const found = await store.sessions({ agent, since, parent: sessionId });
  return found.filter((child) => child.host === host && child.user === user && RUNNING.has(child.state));
}

/** Those that this input's session began; read when a turn or a subagent is over only. */
export async function runningSubagents(
  store: Pick<Store, 'sessions'>,
  incoming: Incoming,
  config: Config,
  now: number,
): Promise<readonly SessionRecord[]> {
  if (incoming.type !== 'hook' || !ENDS_WORK.has(incoming.parsed.signal) || incoming.parsed.running !== null) return [];
  const { agent, host, user, parsed } = incoming;
  if (parsed.sessionId === null) return [];
  const since = now - (config.agents[agent]?.background_wait ?? BACKGROUND_MS);
  return runningChildren(store, { agent, host, user, sessionId: parsed.sessionId }, since);
}

/** The session whose finish waits for this subagent and for no other any more; null: there is none, or this one still runs. */
export async function waitingParent(
  store: Pick<Store, 'session' | 'sessions'>,
  child: SessionRecord | null,
  signal: SessionSignal | null,
): Promise<SessionRecord | null> {
  if (child === null || child.parentSessionId === null || signal === null || !IS_OVER.has(signal)) return null;
  const { agent, host, user, parentSessionId } = child;
  const parent = await store.session({ agent, host, user, sessionId: parentSessionId });
  if (parent === null || memoryOf(parent).held === undefined || parent.subagents.length > 0) return null;
  const others = await runningChildren(store, parent, parent.firstSeen);
  return others.every(({ sessionId }) => sessionId === child.sessionId) ? parent : null;
}
