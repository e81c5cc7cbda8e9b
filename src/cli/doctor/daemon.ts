// Doctor: the daemon: running, and of the package's version.
import type { DaemonStatus } from '../../daemon/commands/status.ts';
import { autostartForbidden } from '../../runtime/autostart-setting.ts';
import { type BuiltVersion, isNewer } from '../../runtime/build-id.ts';
import { type DaemonInfo, readDaemonFile, runningDaemon } from '../../runtime/daemon-file.ts';
import { allHooksDead } from './shared/installed-hooks.ts';
import { REFUSED_FIX, refusedWords } from '../daemon/refused-address.ts';
import { ask } from '../daemon/rpc.ts';
import { awaitReplaced, buildOfDaemon, ownBuild, sameBuild } from '../daemon/wait-for-upgrade.ts';
import { type CheckResult, defineCheck, type DoctorContext, fail, ok, warn } from './check.ts';

/** For the daemon's answer, ms. */
const PATIENCE = 5_000;

export const daemonCheck = defineCheck({
  name: 'daemon',
  inspects: 'whether the daemon is running, and its version and build',
  fixes: [
    ['it is not running, and no hook starts it, or it was killed', '`belfry start`; `belfry daemon` shows why it ends'],
    ['it is not running, and no hook can start it: their Node or their package is gone', '`belfry install --all`'],
    [
      'it is of an older build, and a service manager or a terminal keeps it',
      '`belfry service install`, or end it there',
    ],
    ['it is of a newer build, of another installation', 'use that `belfry`'],
    ['it cannot listen on an address of [http]', 'free the port, or name another in `[http] listen`'],
  ],
  run: async (context) => {
    await awaitReplaced(context.paths); // as every command that asks it something
    const info = runningDaemon(context.paths);
    if (!info) return [await stopped(context)];
    const [own, other] = [ownBuild(), buildOfDaemon(info)];
    if (!sameBuild(own, other)) return [otherBuild(info, own, other)];
    const status = (await ask(context.paths, 'status', {}, PATIENCE).catch(() => null)) as DaemonStatus | null; // another check says why
    return [
      ok(`the daemon is running (pid ${info.pid}, version ${info.version})`),
      ...(status?.http_refused ?? []).map((address) => fail(refusedWords(address), REFUSED_FIX)),
    ];
  },
});

/** An older one that could be replaced has been. */
function otherBuild(info: DaemonInfo, own: BuiltVersion, other: BuiltVersion): CheckResult {
  const where = info.program === undefined ? '' : `, ${info.program},`;
  const names = `(${nameOf(other)})${where}`;
  if (isNewer(other, own))
    return warn(`the daemon is of a newer build ${names} than this command (${nameOf(own)})`, 'use the newer `belfry`');
  const fix = {
    service: 'run `belfry service install`',
    foreground: 'end it in its terminal, then run `belfry start`',
    below: 'end it in its terminal, then run `belfry start`',
  }[info.supervisor ?? ''];
  return fail(
    `the daemon is of another build ${names} than this command (${nameOf(own)})`,
    fix ?? 'run `belfry restart`',
  );
}

function nameOf({ version, build }: BuiltVersion): string {
  return build === null ? version : `${version}, built ${new Date(build.at).toISOString().slice(0, 16)}Z`;
}

/** A stopped daemon is started by the next hook; one that was killed, or that nothing starts again, is a fault. */
async function stopped({ paths, io, machine }: DoctorContext): Promise<CheckResult> {
  const fix = 'run `belfry start`; if it ends again, `belfry daemon` shows why';
  const last = readDaemonFile(paths); // a stop removes it
  if (last) return fail(`no daemon is running: the last one (pid ${last.pid}) was killed`, fix);
  if (io.env['BELFRY_NO_AUTOSTART'] === '1' || autostartForbidden(paths.config))
    return fail('no daemon is running, and hooks do not start it', fix);
  if (await allHooksDead({ paths, machine }))
    return fail(
      'no daemon is running, and no hook can start one: their Node or their package is gone',
      'run `belfry install --all`, then `belfry start`',
    );
  return warn('no daemon is running: the next hook starts it', 'run `belfry start` to start it now');
}
