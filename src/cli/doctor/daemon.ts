// Doctor: the daemon: running, and of the package's version.
import { VERSION } from '../../lib/version.ts';
import { autostartForbidden } from '../../runtime/autostart-setting.ts';
import { readDaemonFile, runningDaemon } from '../../runtime/daemon-file.ts';
import { type CheckResult, defineCheck, type DoctorContext, fail, ok, warn } from './check.ts';

export const daemonCheck = defineCheck({
  name: 'daemon',
  inspects: 'whether the daemon is running, and its version',
  fixes: [
    ['it is not running, and no hook starts it, or it was killed', '`belfry start`; `belfry daemon` shows why it ends'],
    ['it has another version than the package', '`belfry restart`'],
  ],
  run: async (context) => {
    const info = runningDaemon(context.paths);
    if (!info) return [stopped(context)];
    if (info.version !== VERSION)
      return [fail(`the daemon has version ${info.version}, the installed package ${VERSION}`, 'run `belfry restart`')];
    return [ok(`the daemon is running (pid ${info.pid}, version ${info.version})`)];
  },
});

/** A stopped daemon is started by the next hook; one that was killed, or that nothing starts again, is a fault. */
function stopped({ paths, io }: DoctorContext): CheckResult {
  const fix = 'run `belfry start`; if it ends again, `belfry daemon` shows why';
  const last = readDaemonFile(paths); // a stop removes it
  if (last) return fail(`no daemon is running: the last one (pid ${last.pid}) was killed`, fix);
  if (io.env['BELFRY_NO_AUTOSTART'] === '1' || autostartForbidden(paths.config))
    return fail('no daemon is running, and hooks do not start it', fix);
  return warn('no daemon is running: the next hook starts it', 'run `belfry start` to start it now');
}
