// `belfry remote connect` and `disconnect`.
import { EXIT, UserError } from '../../../model/errors.ts';
import type { RemoteStatus } from '../../../model/remote-status.ts';
import { remoteJson } from '../../../model/row-json.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { ask } from '../../daemon/rpc.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Io } from '../../io.ts';
import { remoteNamed } from './target.ts';

/** Longest wait for the connection, ms. */
const CONNECT = 30_000;

/** How it is once it is connected, cannot be, or the time is over. */
export async function connected(paths: Paths, name: string, takesOver: boolean): Promise<RemoteStatus> {
  const args = { name, takesOver, wait: CONNECT };
  return ((await ask(paths, 'remote-connect', args, CONNECT + 5_000)) as { remote: RemoteStatus }).remote;
}

/** UserError where it cannot be connected: exit 3 where a sign-in was refused, 5 where another looks after it, else 7. */
export async function connect(io: Io, name: string, takesOver: boolean): Promise<void> {
  const paths = resolveOwnPaths();
  await remoteNamed(paths, name);
  await ensureListening(paths);
  const remote = await connected(paths, name, takesOver);
  if (remote.state !== 'connected') throw new UserError(`${name}: ${whyNot(remote)}`, exitOf(remote));
  if (io.json) io.data({ remote: remoteJson(remote) });
  else io.line(`${name} is connected`);
}

export async function disconnect(io: Io, name: string): Promise<void> {
  const paths = resolveOwnPaths();
  await remoteNamed(paths, name);
  const { remote } = (await ask(paths, 'remote-disconnect', { name }, 15_000)) as { remote: RemoteStatus };
  if (io.json) io.data({ remote: remoteJson(remote) });
  else io.line(`${name} is not connected any more; \`belfry remote connect ${name}\` connects it`);
}

const ADVICE: Readonly<Partial<Record<string, (name: string) => string>>> = {
  'sign-in': (name) => `use a key without a passphrase, or connect = "shared" in [remotes.${name}]`,
  'host-key': () => 'nothing was sent; see that it is the machine you mean, then correct your known_hosts',
  'no-relay': (name) => `run \`belfry remote add\` for ${name} again`,
  refused: (name) => `\`belfry remote connect ${name} --take-over\` has it looked after from here`,
};

/** What to do about one that is not connected; undefined: to wait. */
export const adviceFor = ({ name, reason }: Pick<RemoteStatus, 'name' | 'reason'>): string | undefined =>
  reason === null ? undefined : ADVICE[reason]?.(name);

/** Why it is not connected, and what to do. */
export function whyNot(status: RemoteStatus): string {
  const advice = adviceFor(status);
  return `${status.detail ?? `not connected (${status.state})`}${advice === undefined ? '' : `: ${advice}`}`;
}

/** Of one that is not connected. */
export function exitOf({ reason }: RemoteStatus): typeof EXIT.auth | typeof EXIT.refused | typeof EXIT.unreachable {
  if (reason === 'sign-in' || reason === 'host-key') return EXIT.auth;
  return reason === 'refused' ? EXIT.refused : EXIT.unreachable;
}
