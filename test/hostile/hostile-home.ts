// A daemon for all hostile cases of one file: its own home, an address on loopback, one channel, hooks that may wait. Gone after the file.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Visitor, visit } from '../support/interface.ts';
import { type RunningDaemon, startDaemon } from '../support/programs.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { writeSettings } from '../support/thread.ts';

const SETTINGS = `[http]
listen = ["127.0.0.1:0"]
[channels.log]
type = "command"
run = ["true"]
[[routes]]
to = ["log"]
[answer]
kinds = ["permission", "question", "finished"]
`;

export interface HostileHome {
  readonly home: string;
  readonly daemon: RunningDaemon;
}

/** Called once, in `beforeAll`. */
export async function hostileHome(more = ''): Promise<HostileHome> {
  const home = mkdtempSync(join(tmpdir(), 'belfry-hostile-'));
  writeSettings(home, SETTINGS + more);
  const daemon = await startDaemon(home, { owned: false });
  opened.push(async () => {
    await daemon.stop('SIGKILL');
    await removeFolder(home);
  });
  return { home, daemon };
}

/** The same with a page that was let in, and the daemon's port. */
export async function hostilePage(): Promise<HostileHome & { readonly page: Visitor; readonly port: number }> {
  const made = await hostileHome();
  const page = await visit(made.home);
  return { ...made, page, port: Number(new URL(page.origin).port) };
}

const opened: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const close of opened) await close();
});
