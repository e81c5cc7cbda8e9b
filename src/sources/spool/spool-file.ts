// What one file of the spool is: a whole envelope, one that is still being written, or nothing that can be read.
import { join } from 'node:path';
import { decodeEnvelope } from '../../ipc/envelope.ts';
import { writerOfPartial } from '../../ipc/shell-spool-file.ts';
import { SPOOL_ENDING, writerOfPart } from '../../ipc/spool.ts';
import { isAlive } from '../../runtime/process-table.ts';
import type { SpoolFile } from './spool-finding.ts';
import { DEAD_SILENCE, judgeShellFile } from './shell-file.ts';
import { readSpoolContent, type SpoolStat } from './spool-content.ts';

/** Whether a name is one of the spool's, finished or not. */
export function isSpoolName(name: string): boolean {
  return name.endsWith(SPOOL_ENDING) || writerOfPartial(name) !== null || writerOfPart(name) !== null;
}

/** Reads the file `name` in `folder`; `now` is Unix ms. */
export function readSpoolFile(folder: string, name: string, now: number): SpoolFile {
  if (!isSpoolName(name)) return { state: 'foreign' };
  const shell = writerOfPartial(name);
  const content = readSpoolContent(join(folder, name), shell, now);
  if (content.state === 'gone' || content.state === 'unreadable') return content;
  const { stat } = content;
  if (content.state === 'read')
    return shell === null
      ? judgeProgramFile(name, content.bytes, stat, now)
      : judgeShellFile(name, shell, content.bytes, stat, now);
  // Only what a shell writes is found fresh.
  return {
    state: 'unfinished',
    writer: shell ?? 0,
    quiet: now - stat.changed,
    since: stat.begun,
    json: false,
    input: null,
  };
}

/** The hook program writes under a temporary name: under its own a file is whole, or was damaged. */
function judgeProgramFile(name: string, bytes: Buffer, { begun, changed }: SpoolStat, now: number): SpoolFile {
  const envelope = decodeEnvelope(bytes);
  const isWhole = typeof envelope !== 'string';
  const writer = writerOfPart(name);
  const quiet = now - changed;
  const alive = writer !== null && isAlive(writer, null);
  // A whole one gets its own name at once, unless its writer was killed or its pid is another's by now; the clock may have been set back.
  if (isWhole && alive && Math.abs(quiet) < DEAD_SILENCE)
    return { state: 'unfinished', writer, quiet, since: changed, json: false, input: null };
  if (isWhole) return { state: 'whole', envelope };
  if (writer !== null && (alive || quiet < DEAD_SILENCE))
    return { state: 'unfinished', writer, quiet, since: begun, json: false, input: null };
  return { state: 'unreadable', reason: envelope };
}
