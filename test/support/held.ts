// A hook that may hold its terminal, asked while somebody is away.
import type { AnsweringService } from '../../src/answering/index.ts';
import type { Store } from '../../src/store/contract.ts';

/** Whether the hook with this input is told to wait; it leaves then. */
export async function holdsWhileAway(
  { store, answering }: { readonly store: Store; readonly answering: AnsweringService },
  agent: string,
  input: object,
): Promise<boolean> {
  const now = Date.now();
  await store.setMachine({ since: now, until: now + 60_000 });
  const hook = new AbortController();
  let first: unknown;
  const raw = JSON.stringify({ cwd: '/tmp', ...input });
  const origin = { pid: process.pid, ppid: process.ppid, env: {} };
  await answering.serve(
    { startedAt: now, agent, reply: false, raw, origin },
    async (reply) => {
      first ??= 'data' in reply ? reply.data : reply;
      hook.abort(); // it has heard enough
    },
    hook.signal,
  );
  return typeof Object(first).wait === 'number';
}
