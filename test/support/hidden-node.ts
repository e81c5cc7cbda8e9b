// A machine without Node, as far as a hook can see: in a mount namespace of its own, nothing lies where it looks.
import { spawnSync } from 'node:child_process';

const SCRIPT = `for f in /opt/homebrew /usr/local /usr /snap; do
  [ ! -e "$f/bin/node" ] || /bin/mount --bind /dev/null "$f/bin/node" || exit 9
done; exec "$@"`;

/** Runs the program that follows it there; its PATH may still name a Node. */
export const WITHOUT_NODE: readonly string[] = ['/usr/bin/unshare', '-m', '/bin/sh', '-c', SCRIPT, 'sh'];

/** Only root may, and not in every container. */
export const CAN_HIDE_NODE = spawnSync('/usr/bin/unshare', [...WITHOUT_NODE.slice(1), '/bin/true']).status === 0;
