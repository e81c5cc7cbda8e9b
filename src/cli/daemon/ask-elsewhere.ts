// A daemon of another machine or account, whose `belfry.sock` somebody has forwarded or mounted to where this account's would be.
import { EXIT, UserError } from '../../model/errors.ts';
import { daemonLock } from '../../runtime/autostart.ts';
import { holderAlive, readLock } from '../../runtime/lock.ts';
import type { Paths } from '../../runtime/paths.ts';
import { ask } from './rpc.ts';

/** Ms in which it answers. */
const PATIENCE = 5_000;

/** Its answer, where no daemon of this account is ready; null: there is none. What it refuses is thrown. */
export async function askElsewhere(paths: Paths, op: string): Promise<unknown> {
  const holder = readLock(daemonLock(paths));
  if (holder !== null && holderAlive(holder)) return null; // one that starts or stops here
  try {
    return await ask(paths, op, {}, PATIENCE);
  } catch (error) {
    if (error instanceof UserError && error.exit === EXIT.unreachable) return null;
    throw error;
  }
}
