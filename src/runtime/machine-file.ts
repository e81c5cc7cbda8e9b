// The machine-wide settings file as it is stored. It may name programs that run as every user, so only what nobody but an administrator can write is read.
import { closeSync, fstatSync, lstatSync, readSync, realpathSync, type Stats } from 'node:fs';
import type { Environment } from './paths.ts';
import { openToRead } from './plain-file.ts';

/** What its place depends on. */
type Machine = Pick<Environment, 'platform' | 'env'>;

/** Where it is: apart from everybody's own, so not below BELFRY_HOME. In a file of its own, for the hook has no use for it. */
export function machineConfigPath({ platform, env }: Machine): string {
  if (platform === 'darwin') return '/Library/Application Support/belfry/config.toml';
  if (platform !== 'win32') return '/etc/belfry/config.toml';
  const folder = env['ProgramData'];
  const { win32 } = process.getBuiltinModule('node:path');
  const isWhole = folder !== undefined && win32.isAbsolute(folder);
  return win32.join(isWhole ? folder : 'C:\\ProgramData', 'belfry', 'config.toml');
}

/** Its text, null where there is no such file; or why it is not used, as the end of a sentence. */
export type MachineFile = { readonly text: string | null } | { readonly fault: string };

/** Largest file that is read, bytes. */
const LIMIT = 1024 * 1024;

const WRITABLE = 0o022;
const STICKY = 0o1000;

/** `owner`: who may have written it besides root. Windows has no owners and modes here: there the folder's access list counts. Never throws. */
export function readMachineFile(path: string, owner = 0): MachineFile {
  try {
    const fd = openToRead(path);
    try {
      const found = fstatSync(fd);
      const fault = process.getuid === undefined ? null : (ownerFault(path, found, owner) ?? folderFault(path, owner));
      if (fault !== null) return { fault };
      // More than its size: somebody may write it meanwhile.
      const bytes = Buffer.allocUnsafe(LIMIT + 1);
      const size = readSync(fd, bytes);
      return size > LIMIT ? { fault: `is larger than ${LIMIT} bytes` } : { text: bytes.toString('utf8', 0, size) };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { text: null };
    return { fault: code === undefined ? message : `cannot be read (${code})` };
  }
}

function ownerFault(path: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>, owner: number): string | null {
  if (uid !== 0 && uid !== owner)
    return `is not used: ${path} belongs to user ${uid}, not to root; run \`chown root\` on it`;
  return mode & WRITABLE
    ? `is not used: ${path} can be written by others than its owner; run \`chmod go-w\` on it`
    : null;
}

/** Whoever can write a folder on the way can put another file in its place. */
function folderFault(path: string, owner: number): string | null {
  const { dirname } = process.getBuiltinModule('node:path');
  for (const start of new Set([path, realpathSync(path)]))
    for (let at = start, below = ''; at !== below; below = at, at = dirname(at)) {
      const found = lstatSync(at);
      // Of a link only the owner counts; in a sticky folder only they can replace it.
      const mode = found.isSymbolicLink() || found.mode & STICKY ? 0 : found.mode;
      const fault = ownerFault(at, { uid: found.uid, mode }, owner);
      if (fault !== null) return fault;
    }
  return null;
}
