// Which socket is the daemon's: one that nobody else could have put there. It gets prompts, and its word that an event is kept is believed.
import { lstatSync } from 'node:fs';
import { socketInFile } from './daemon-file.ts';
import type { Paths } from './paths.ts';
import { checkPrivateFolder } from './private-folder.ts';

/** The socket to connect to; null: there is none that is ours, so nobody listens. A daemon that found its place taken by another user says where it is. */
export function trustedSocket(paths: Pick<Paths, 'socket' | 'daemonFile'>): string | null {
  if (paths.socket[0] === '\\') return paths.socket; // a named pipe lies in no folder
  if (isOurs(paths.socket)) return paths.socket;
  const said = socketInFile(paths);
  return said && isOurs(said) ? said : null;
}

/** The folder is looked at, and closed to others, first: from then on nobody else can change what is in it. */
function isOurs(socket: string): boolean {
  try {
    if (checkPrivateFolder(socket.slice(0, socket.lastIndexOf('/')))) return false;
    const found = lstatSync(socket);
    return found.isSocket() && found.uid === process.getuid?.();
  } catch {
    return false; // nobody listens
  }
}
