// Reads one file of the spool, following no link; distinguishes whole, unfinished and unreadable ones.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { decodeEnvelope, type Envelope, INPUT_LIMIT } from '../ipc/envelope.ts';
import { newId } from '../ipc/id.ts';
import { decodePartial, endMark, type PartialFile, writerOfPartial } from '../ipc/shell-spool-file.ts';
import { ancestorsFrom, isAlive } from '../runtime/process-table.ts';
import { SPOOL_ENDING, writerOfPart } from '../ipc/spool.ts';
import { parseJson } from '../lib/json.ts';
import { sha256 } from '../lib/hash.ts';

/** What a file of the spool is. */
export type SpoolFile =
  | { readonly state: 'whole'; readonly envelope: Envelope }
  /** Being written; `quiet`: ms since its last change, `since`: Unix ms of its beginning, `json`: its input is whole. */
  | {
      readonly state: 'unfinished';
      readonly writer: number;
      readonly quiet: number;
      readonly since: number;
      readonly json: boolean;
    }
  | { readonly state: 'unreadable'; readonly reason: string }
  | { readonly state: 'gone' }
  | { readonly state: 'foreign' };

/** An unfinished file whose writer is dead is judged after this silence, ms: a reader may outlive its shell. */
const DEAD_SILENCE = 1_500;

/** No hook waits this long with a whole input, ms: whoever has its pid now, after a start of the machine perhaps, is another. */
const FORSAKEN = 60_000;

/** A file that changed less than this time ago is not read whole only to see that it is unfinished, ms. */
const FRESH = 200;

/** An input and its header. */
const LARGEST = INPUT_LIMIT + 1024 * 1024;

interface Stat {
  readonly ino: number;
  readonly begun: number;
  readonly changed: number;
}

/** Whether a name is one of the spool's, finished or not. */
export function isSpoolName(name: string): boolean {
  return name.endsWith(SPOOL_ENDING) || writerOfPartial(name) !== null || writerOfPart(name) !== null;
}

/** Reads the file `name` in `folder`; `now` is Unix ms. */
export function readSpoolFile(folder: string, name: string, now: number): SpoolFile {
  if (!isSpoolName(name)) return { state: 'foreign' };
  const shell = writerOfPartial(name);
  const content = readContent(join(folder, name), shell, now);
  if (!('bytes' in content)) return content;
  if (shell !== null) return judgeOpen(name, shell, content.bytes, content.stat, now);
  const envelope = decodeEnvelope(content.bytes);
  if (typeof envelope !== 'string') return { state: 'whole', envelope };
  const writer = writerOfPart(name);
  const quiet = now - content.stat.changed;
  if (writer !== null && (isAlive(writer, null) || quiet < DEAD_SILENCE))
    return { state: 'unfinished', writer, quiet, since: content.stat.begun, json: false };
  return { state: 'unreadable', reason: envelope };
}

function judgeOpen(name: string, writer: number, bytes: Buffer, stat: Stat, now: number): SpoolFile {
  const file = decodePartial(bytes, writer);
  const quiet = now - stat.changed;
  const alive = isAlive(writer, null);
  if (typeof file === 'string') {
    if (alive || quiet < DEAD_SILENCE) return { state: 'unfinished', writer, quiet, since: stat.begun, json: false };
    return { state: 'unreadable', reason: file };
  }
  const envelope = envelopeOf(name, writer, file, stat, now);
  if (file.complete || file.cut) return { state: 'whole', envelope };
  const json = isJson(file.raw);
  if (json && (!alive || quiet > FORSAKEN)) return { state: 'whole', envelope };
  if (alive || quiet < DEAD_SILENCE) return { state: 'unfinished', writer, quiet, since: stat.begun, json };
  return { state: 'unreadable', reason: 'its writer was killed before the input was whole' };
}

/** The id comes of what stays the same when the daemon dies between keeping the event and removing the file. */
function envelopeOf(name: string, pid: number, file: PartialFile, stat: Stat, now: number): Envelope {
  const digest = sha256(`${name} ${stat.ino} ${stat.changed}`);
  // A fresh file's parent is still the process that started the hook; later the pid may be another's.
  const ancestors = now - stat.begun < 10_000 ? ancestorsFrom(file.header.ppid) : [];
  const { ppid, env, cwd, ...rest } = file.header;
  return {
    id: newId(stat.begun, digest),
    ...rest,
    startedAt: stat.begun,
    receivedAt: Math.round(stat.changed),
    ...(file.cut && { cut: file.cut }),
    origin: { pid, ppid, env, host: hostname(), ...(cwd && { cwd }), ...(ancestors.length > 0 && { ancestors }) },
    raw: file.raw,
  };
}

function readContent(path: string, shell: number | null, now: number): { bytes: Buffer; stat: Stat } | SpoolFile {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let fd: number | null = null;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = fstatSync(fd);
    if (!found.isFile()) return { state: 'unreadable', reason: 'no regular file' };
    if (shell === null && found.size > LARGEST) return { state: 'unreadable', reason: 'larger than any hook input' };
    const stat = { ino: found.ino, begun: Math.round(birth(found)), changed: found.mtimeMs };
    const quiet = now - found.mtimeMs;
    if (shell !== null && quiet < FRESH && found.size < LARGEST && !hasEndMark(fd, found.size, shell))
      return { state: 'unfinished', writer: shell, quiet, since: stat.begun, json: false };
    return { bytes: found.size > LARGEST ? readStart(fd) : readFileSync(fd), stat };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return { state: 'gone' };
    if (code === 'ELOOP' || code === 'EMLINK') return { state: 'unreadable', reason: 'a symbolic link' };
    return { state: 'unreadable', reason: (error as Error).message };
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function readStart(fd: number): Buffer {
  const bytes = Buffer.alloc(LARGEST);
  return bytes.subarray(0, readSync(fd, bytes, 0, LARGEST, 0));
}

/** Where a file system knows no time of birth, it shows a later one or none. */
function birth(stat: Stats): number {
  return stat.birthtimeMs > 0 && stat.birthtimeMs <= stat.mtimeMs ? stat.birthtimeMs : stat.mtimeMs;
}

function hasEndMark(fd: number, size: number, pid: number): boolean {
  const mark = Buffer.from(endMark(pid));
  const tail = Buffer.alloc(mark.length);
  const length = readSync(fd, tail, 0, tail.length, Math.max(0, size - mark.length));
  return length === mark.length && tail.equals(mark);
}

/** Whether these bytes are a JSON document. */
export function isJson(raw: Uint8Array): boolean {
  return parseJson(Buffer.from(raw).toString('utf8')) !== undefined;
}
