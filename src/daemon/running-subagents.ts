// Subagents that are sessions of their own and still run: they hold the finish of the session that began them.
import type { Config } from '../model/config.ts';
import type { Incoming } from '../model/incoming.ts';
import type { SessionRecord } from '../model/session.ts';
import type { Store } from '../store/contract.ts';

/** Signals after which it matters which subagents run, and the states in which they do. */
const ENDS_WORK: ReadonlySet<string> = new Set(['finished', 'subagent-finished']);
const RUNNING: ReadonlySet<string> = new Set(['started', 'working', 'waiting', 'background', 'unknown']);
/** Ms for which a subagent that says nothing counts as running, where no `background_wait` is set. */
const BACKGROUND_MS = 600_000;

/** Sessions that this input's session began and that still run; read when a turn or a subagent is over only. */
export async function runningSubagents(
  store: Pick<Store, 'sessions'>,
  incoming: Incoming,
  config: Config,
  now: number,
): Promise<readonly SessionRecord[]> {
  if (incoming.type !== 'hook' || !ENDS_WORK.has(incoming.parsed.signal) || incoming.parsed.running !== null) return [];
  const { agent, host, user, parsed } = incoming;
  const since = now - (config.agents[agent]?.background_wait ?? BACKGROUND_MS);
  return (await store.sessions({ agent, since })).filter(
    (other) =>
      other.parentSessionId !== null &&
      other.parentSessionId === parsed.sessionId &&
      other.host === host &&
      other.user === user &&
      RUNNING.has(other.state),
  );
}
