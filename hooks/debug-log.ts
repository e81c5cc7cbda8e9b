// BELFRY_DEBUG=1: why the hook did what it did, in state/hook.log. Never the input itself.
import { closeSync, writeSync } from 'node:fs';
import { openToAppend } from '../src/runtime/plain-file.ts';
import { makePrivateFolder } from '../src/runtime/private-folder.ts';
import type { Paths } from '../src/runtime/paths.ts';

/** Appends one line; silent when it cannot. */
export function debugLog(paths: Paths, text: string): void {
  if (process.env['BELFRY_DEBUG'] !== '1' || makePrivateFolder(paths.state)) return;
  try {
    const fd = openToAppend(paths.hookLog);
    writeSync(fd, `${new Date().toISOString()} ${process.pid} ${text}\n`);
    closeSync(fd);
  } catch {
    // neither a full disk nor a pipe in the log's place may be felt by the agent
  }
}
