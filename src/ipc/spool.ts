// The spool: one file an event, written under a temporary name and renamed, so that no reader ever sees half a file.
import { closeSync, constants, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { joinPath } from '../runtime/join-path.ts';
import { encodeEnvelope, type Envelope } from './envelope.ts';
import { makePrivateFolder } from '../runtime/private-folder.ts';

/** Ending of a whole file; its name before it is the event's id and sorts by time. */
export const SPOOL_ENDING = '.event';

/** Pid of the writer in the name of a file that is being written: `.PID.ID.part`; null for another name. */
export function writerOfPart(name: string): number | null {
  const found = /^\.(\d{1,10})\..*\.part$/.exec(name);
  return found ? Number(found[1]) : null;
}

/** Keeps an envelope in the folder; null when it is kept, else why not. Never throws. */
export function writeSpool(folder: string, envelope: Envelope): string | null {
  const trouble = makePrivateFolder(folder);
  if (trouble) return trouble;
  const part = joinPath(folder, `.${process.pid}.${envelope.id}.part`);
  try {
    writeNew(part, encodeEnvelope(envelope));
    renameSync(part, joinPath(folder, envelope.id + SPOOL_ENDING));
    return null;
  } catch (error) {
    try {
      unlinkSync(part);
    } catch {
      // never made, or the disk is broken: nothing is left to do about it
    }
    return `${folder}: ${(error as Error).message}`;
  }
}

/** Creates a file that was not there, 0600, following no link. */
function writeNew(path: string, bytes: Uint8Array): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    for (let done = 0; done < bytes.byteLength; ) done += writeSync(fd, bytes, done);
  } finally {
    closeSync(fd);
  }
}
