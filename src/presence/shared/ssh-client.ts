// The terminal here through which a session elsewhere is seen: that of the ssh whose connection comes from the port which the far side names.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Place, placeOf, UNKNOWN_PLACE } from '../../model/session/place.ts';
import { processEntry, terminalOf } from '../../runtime/process-table.ts';
import { environmentOf } from './process-environment.ts';

/** A process, and where on the screen it is. */
export interface SeenThrough {
  readonly pid: number;
  readonly place: Place;
}

/** Processes looked at in one turn of the loop. */
const IN_ONE_TURN = 50;
/** In /proc/net/tcp: the state of a connection that stands. In /proc/net/unix: the flag of a socket that takes connections. */
const [ESTABLISHED, LISTENS] = ['01', '00010000'];

/**
 * `connection`: SSH_CONNECTION as a hook there saw it; a false one can only name another ssh of this user. Null: no ssh of this user has
 * that port, several sessions share its connection (ControlMaster), it has no terminal, or there is no /proc.
 */
export async function sshBehind(connection: string | null): Promise<SeenThrough | null> {
  const [, from, to] = /^[\w.:%]{2,64} (\d{1,5}) [\w.:%]{2,64} (\d{1,5})$/.exec(connection ?? '') ?? [];
  const inodes = from === undefined ? new Set<string>() : socketsOfConnection(Number(from), Number(to));
  if (inodes.size === 0) return null;
  for (const [index, pid] of ownProcesses().entries()) {
    if (index % IN_ONE_TURN === IN_ONE_TURN - 1) await nextTurn();
    const entry = processEntry(pid);
    if (entry?.name !== 'ssh') continue;
    const held = socketsOf(pid);
    if (!held.some((inode) => inodes.has(inode))) continue;
    // Without a terminal of its own it serves a program that shows what is there in another way.
    return isShared(held) || entry.tty === 0 ? null : { pid, place: placeHere(pid) };
  }
  return null;
}

/** Inodes of this user's connections from this port to that one; addresses may be translated on the way. */
function socketsOfConnection(from: number, to: number): ReadonlySet<string> {
  const own = String(process.getuid?.() ?? -1);
  const found = new Set<string>();
  for (const table of ['tcp', 'tcp6'])
    for (const line of linesOf(`/proc/net/${table}`)) {
      const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
      const isIt = portOf(local) === from && portOf(remote) === to && state === ESTABLISHED && uid === own;
      if (isIt && inode !== undefined) found.add(inode);
    }
  return found;
}

const portOf = (end = ''): number => Number.parseInt(end.slice(end.lastIndexOf(':') + 1), 16);

function ownProcesses(): readonly number[] {
  const own = process.getuid?.();
  return names('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    return orNull(() => statSync(`/proc/${name}`).uid) === own ? [Number(name)] : [];
  });
}

const socketsOf = (pid: number): readonly string[] =>
  names(`/proc/${pid}/fd`).flatMap(
    (fd) => orNull(() => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]) ?? [],
  );

/** Others go through it as well, in other terminals. */
function isShared(held: readonly string[]): boolean {
  return linesOf('/proc/net/unix').some((line) => {
    const [, , , flags, , , inode] = line.trim().split(/\s+/);
    return flags === LISTENS && inode !== undefined && held.includes(inode);
  });
}

function placeHere(pid: number): Place {
  const env = environmentOf(pid) ?? {};
  const tty = terminalOf(pid);
  return placeOf({ env, ...(tty !== null && { tty }) }) ?? UNKNOWN_PLACE;
}

const names = (folder: string): readonly string[] => orNull(() => readdirSync(folder)) ?? [];
const linesOf = (path: string): readonly string[] => (orNull(() => readFileSync(path, 'utf8')) ?? '').split('\n');

/** Null: it is gone, another user's, or there is no such thing on this system. */
function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
