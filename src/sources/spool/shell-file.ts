// What a file that the shell hook writes in place has come to: whole, still being written, or given up by its writer.
import { hostname } from 'node:os';
import type { Envelope } from '../../ipc/envelope.ts';
import { newId } from '../../ipc/id.ts';
import { decodePartial, type PartialFile } from '../../ipc/shell-spool-file.ts';
import { sha256 } from '../../lib/hash.ts';
import { parseJson } from '../../lib/json/json.ts';
import { isAlive } from '../../runtime/process-table.ts';
import { ancestryOf } from '../hook-ancestors.ts';
import type { SpoolFile } from './spool-finding.ts';
import type { SpoolStat } from './spool-content.ts';

/** An unfinished file whose writer is dead is judged after this silence, ms: a reader may outlive its shell. */
export const DEAD_SILENCE = 1_500;
/** No hook waits this long with a whole input, ms: whoever has its pid now, after a start of the machine perhaps, is another. */
const FORSAKEN = 60_000;
/** A file this young, ms, has the process that started the hook as its parent still; later the pid may be another's. */
const PARENT_LIVES = 10_000;

/** The file `name` of the shell with the pid `writer`; `now`: Unix ms. */
export function judgeShellFile(name: string, writer: number, bytes: Buffer, stat: SpoolStat, now: number): SpoolFile {
  const quiet = now - stat.changed;
  const alive = isAlive(writer, null);
  const mayGoOn = alive || quiet < DEAD_SILENCE;
  const unfinished = { state: 'unfinished', writer, quiet, since: stat.begun } as const;
  const file = decodePartial(bytes, writer);
  if (typeof file === 'string')
    return mayGoOn ? { ...unfinished, json: false, input: null } : { state: 'unreadable', reason: file };
  if (file.complete || file.cut) return { state: 'whole', envelope: envelopeOf(name, writer, file, stat, now) };
  const json = isJson(file.raw);
  if (json && (!alive || quiet > FORSAKEN))
    return { state: 'whole', envelope: envelopeOf(name, writer, file, stat, now) };
  return mayGoOn
    ? { ...unfinished, json, input: { raw: file.raw, ...(file.header.agent && { agent: file.header.agent }) } }
    : { state: 'unreadable', reason: 'its writer was killed before the input was whole' };
}

/** The id comes of what stays the same when the daemon dies between keeping the event and removing the file. */
function envelopeOf(name: string, pid: number, file: PartialFile, stat: SpoolStat, now: number): Envelope {
  const digest = sha256(`${name} ${stat.inode} ${stat.changed}`);
  const { ppid, env, cwd, ...rest } = file.header;
  const { ancestors, tty } = now - stat.begun < PARENT_LIVES ? ancestryOf(ppid) : { ancestors: [], tty: null };
  return {
    id: newId(stat.begun, digest),
    ...rest,
    startedAt: stat.begun,
    receivedAt: Math.round(stat.changed),
    ...(file.cut && { cut: file.cut }),
    origin: {
      pid,
      ppid,
      env,
      host: hostname(),
      ...(cwd && { cwd }),
      ...(ancestors.length > 0 && { ancestors, seen: true }),
      ...(tty !== null && { tty }),
    },
    raw: file.raw,
  };
}

/** Whether these bytes are a JSON document. */
export function isJson(raw: Uint8Array): boolean {
  return parseJson(Buffer.from(raw).toString('utf8')) !== undefined;
}
