// `belfry remote remove NAME`: what waits there is taken over, then everything of Belfry goes, there and here.
import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { uninstallFor } from '../../../../installers/for-agents.ts';
import type { FarSession } from '../../../../installers/far/far-session.ts';
import { agents } from '../../../agents/index.ts';
import { removeSetting } from '../../../config/toml/edit-setting.ts';
import { sleep } from '../../../lib/clock.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { isLive } from '../../../model/session/effective-state.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { runningDaemon } from '../../../runtime/daemon-file.ts';
import { ask } from '../../daemon/rpc.ts';
import { reloadDaemon } from '../../daemon/reload-daemon.ts';
import type { Io } from '../../io.ts';
import { pathFor } from '../../output/path-for.ts';
import { readSettings } from '../channel/config-before.ts';
import { exchangeSettings } from '../config/settings-file.ts';
import { withStore } from '../../reading/with-store.ts';
import { RECENT } from '../history/sessions.ts';
import { reportChanges } from '../install/report-changes.ts';
import { connected } from './connect.ts';
import { installerThere, lookAround, recordsOf } from './far-files.ts';
import { openSession, remoteNamed } from './target.ts';

export interface RemoveFlags {
  readonly here?: true;
}

/** Longest wait for what waits there, ms. */
const DRAIN = 60_000;

export async function remove(io: Io, name: string, flags: RemoveFlags): Promise<void> {
  const here = flags.here === true;
  const paths = resolveOwnPaths();
  const remote = await remoteNamed(paths, name);
  if (!here) {
    const { session, facts } = await openSession(remote, name, io.tty);
    try {
      await drain(paths, name, session);
      const { machine, tools } = installerThere(session, facts, recordsOf(paths, name), {
        dryRun: false,
        answer: 'keep',
      });
      const known = agents.filter(({ settings }) => settings !== null);
      await lookAround(session, machine, known);
      const done = await uninstallFor(known, { level: 'user' }, machine, tools);
      const failed = done.find((one) => 'error' in one);
      if (failed !== undefined && 'error' in failed)
        throw new UserError(`${name}: ${failed.title}: ${failed.error}; its section here stays`, EXIT.refused);
      const changed = done.filter((one) => !('error' in one) && one.files.some(({ action }) => action !== 'unchanged'));
      if (!io.json) reportChanges(io, changed, { dryRun: false });
      if (runningDaemon(paths) !== null) await ask(paths, 'remote-disconnect', { name }, 15_000);
      await session.clear();
    } finally {
      await session.close();
    }
  }
  await withoutSection(paths, name);
  await rm(recordsOf(paths, name), { recursive: true, force: true });
  await rmdir(dirname(recordsOf(paths, name))).catch(() => undefined); // those of another remote may be in it, or it never was
  await reloadDaemon(paths);
  if (io.json) return io.data({ removed: name, there: !here });
  io.line(`Removed [remotes.${name}] from ${pathFor(io, paths.config)}${here ? '; nothing was changed there' : ''}.`);
  if (await hasLiveSession(name))
    io.line(
      'Its sessions stay in `belfry sessions` as they were, for up to 12 hours; `belfry ack` clears what they wait for.',
    );
}

/** Whether one of its sessions is listed as if it still went on. */
async function hasLiveSession(name: string): Promise<boolean> {
  const now = Date.now();
  const recent = await withStore((store) => store.sessions({ since: now - RECENT }));
  return recent.some((session) => session.host === name && isLive(session, now));
}

/** What waits there comes over first; where it cannot, nothing is removed. */
async function drain(paths: Paths, name: string, session: FarSession): Promise<void> {
  const end = Date.now() + DRAIN;
  let { waiting } = await session.look();
  if (waiting > 0) await connected(paths, name, false);
  for (let last = waiting; waiting > 0; last = waiting) {
    await sleep(200);
    ({ waiting } = await session.look());
    if (waiting >= last && Date.now() > end)
      throw new UserError(
        `${waiting} files wait on ${name} and do not come over: \`belfry remote check ${name}\` says why (nothing was changed)`,
        EXIT.unreachable,
      );
  }
}

async function withoutSection(paths: Paths, name: string): Promise<void> {
  const { text: before } = await readSettings(paths);
  const text = await removeSetting((before ?? '').replace(/^\uFEFF/, ''), ['remotes', name]);
  if (text !== null) await exchangeSettings(paths.config, before, text);
}
