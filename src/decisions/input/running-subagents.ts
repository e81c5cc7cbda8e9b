// Subagents that are sessions of their own and still run: they hold the finish of the session that began them.
import type { SessionSignal } from '../../model/agent/agent.ts';
import type { Config } from '../../model/settings/config.ts';
import type { SessionKey } from '../../model/ids.ts';
import type { Incoming } from '../../model/event/incoming.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { memoryOf } from '../../pipeline/index.ts';
import type { FactsKey, Store } from '../../store/contract.ts';

/** Signals after which it matters which subagents run, and the states in which they do. */
const ENDS_WORK: ReadonlySet<string> = new Set(['finished', 'subagent-finished']);
const RUNNING: ReadonlySet<string> = new Set(['started', 'working', 'waiting', 'background', 'unknown']);
/** Signals after which a subagent that is a session of its own runs no more. */
const IS_OVER: ReadonlySet<SessionSignal> = new Set<SessionSignal>(['finished', 'interrupted', 'failed', 'ended']);
/** Ms for which a subagent that says nothing counts as running, where no `background_wait` is set. */
const BACKGROUND_MS = 600_000;

/** Those of the sessions that this one began that still run. */
export function stillRunning(
  children: readonly SessionRecord[],
  { host, user }: Pick<SessionKey, 'host' | 'user'>,
): readonly SessionRecord[] {
  return children.filter((child) => child.host === host && child.user === user && RUNNING.has(child.state));
}

/** Since when (Unix ms) those that this input's session began have said something if they count; null: they do not matter, as no work is over. */
export function runningSince(incoming: Incoming, config: Config, now: number): FactsKey['children'] {
  if (incoming.type !== 'hook' || !ENDS_WORK.has(incoming.parsed.signal) || incoming.parsed.running !== null)
    return null;
  return { since: now - (config.agents[incoming.agent]?.background_wait ?? BACKGROUND_MS) };
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
  const children = await store.sessions({ agent, since: parent.firstSeen, parent: parentSessionId });
  const others = stillRunning(children, parent);
  return others.every(({ sessionId }) => sessionId === child.sessionId) ? parent : null;
}
