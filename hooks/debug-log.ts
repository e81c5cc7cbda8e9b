// BELFRY_DEBUG=1: why the hook did what it did, in state/hook.log. Never the input itself.
import { appendFileSync } from 'node:fs';
import { makePrivateFolder } from '../src/runtime/private-folder.ts';
import type { Paths } from '../src/runtime/paths.ts';

/** Appends one line; silent when it cannot. */
export function debugLog(paths: Paths, text: string): void {
  if (process.env['BELFRY_DEBUG'] !== '1' || makePrivateFolder(paths.state)) return;
  try {
    appendFileSync(paths.hookLog, `${new Date().toISOString()} ${process.pid} ${text}\n`, { mode: 0o600 });
  } catch {
    // a full disk must not be felt by the agent
  }
}
