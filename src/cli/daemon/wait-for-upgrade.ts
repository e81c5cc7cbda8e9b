// A daemon of another build than this command's. One of the same package makes way when it is asked anything; an older one of another
// package is replaced. Either is waited for.
import { packageFolder, isTransientInstall } from '../../../installers/package-folder.ts';
import { sleep } from '../../lib/clock.ts';
import { VERSION } from '../../lib/version.ts';
import { sendCommand } from '../../ipc/client.ts';
import { startDaemonDetached } from '../../runtime/autostart.ts';
import { asBuild, buildOf, type BuiltVersion, isNewer } from '../../runtime/build-id.ts';
import { type DaemonInfo, runningDaemon } from '../../runtime/daemon-file.ts';
import type { Paths } from '../../runtime/paths.ts';
import { daemonProgram } from './program-path.ts';
import { stopDaemon } from './stop-daemon.ts';

/** A clean stop and a start under load; then the old one answers as well as it can, ms. */
const PATIENCE = 20_000;
const LOOK = 50;

/** This command's own package. */
export const ownBuild = (): BuiltVersion => ({ version: VERSION, build: buildOf(daemonProgram()) });

/** A running daemon's. */
export const buildOfDaemon = ({ version, build }: DaemonInfo): BuiltVersion => ({ version, build: asBuild(build) });

/** Whether they are of one build. */
export function sameBuild(a: BuiltVersion, b: BuiltVersion): boolean {
  return a.version === b.version && a.build?.id === b.build?.id;
}

/** Returns at once when the builds are the same, and for a daemon of another installation that is newer or that somebody else keeps. */
export async function awaitReplaced(paths: Paths): Promise<void> {
  const old = runningDaemon(paths);
  if (!old || sameBuild(buildOfDaemon(old), ownBuild())) return;
  if (old.program === daemonProgram()) {
    const asked = await sendCommand(paths, 'status');
    if (asked.state === 'answered') for await (const _reply of asked.replies); // it checks its program once it has answered
  } else {
    if (!mayTakeOver(old)) return;
    await stopDaemon(paths);
    startDaemonDetached(paths, daemonProgram(), { auto: true });
  }
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    const info = runningDaemon(paths);
    if (info && info.pid !== old.pid) return;
    await sleep(LOOK);
  }
}

/** A service's manager, or whoever has it in a terminal, would start the old one again; and a cache that npm empties is no place for a daemon. */
function mayTakeOver(old: DaemonInfo): boolean {
  const { supervisor = 'background' } = old;
  return supervisor === 'background' && isNewer(ownBuild(), buildOfDaemon(old)) && !isTransientInstall(packageFolder());
}
