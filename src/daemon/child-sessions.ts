// The sessions that are subagents of another and still run.
import type { IncomingHook } from '../model/incoming.ts';
import type { SessionState } from '../model/session.ts';
import type { Facts } from '../pipeline/index.ts';
import type { PipelineRunnerDeps } from './pipeline-runner-deps.ts';

/** Signals after which it matters which subagents still run, and the states in which they do. */
const ENDS_WORK: ReadonlySet<string> = new Set(['finished', 'subagent-finished']);
const RUNNING: ReadonlySet<SessionState> = new Set(['started', 'working', 'waiting', 'background', 'unknown']);
/** Ms for which a subagent that says nothing counts as running, where no `background_wait` is set. */
const BACKGROUND_MS = 600_000;

/** Read when a turn or a subagent is over only, and only where the input does not list them itself. */
export async function childrenOf(
  { agent, host, user, parsed }: IncomingHook,
  { store, clock, config }: Pick<PipelineRunnerDeps, 'store' | 'clock' | 'config'>,
): Promise<Facts['children']> {
  if (!ENDS_WORK.has(parsed.signal) || parsed.running !== null) return [];
  const since = clock.now() - (config().agents[agent]?.background_wait ?? BACKGROUND_MS);
  const known = await store.sessions({ agent, since });
  return known.filter(
    (other) =>
      other.parentSessionId === parsed.sessionId &&
      other.host === host &&
      other.user === user &&
      RUNNING.has(other.state),
  );
}
