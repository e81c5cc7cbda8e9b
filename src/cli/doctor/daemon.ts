// Doctor: the daemon: running, and of the package's version.
import { VERSION } from '../../lib/version.ts';
import { runningDaemon } from '../../runtime/daemon-file.ts';
import { defineCheck, fail, ok } from './check.ts';

export const daemonCheck = defineCheck({
  name: 'daemon',
  inspects: 'whether the daemon runs, and whether it is of the installed version',
  fixes: [
    ['it does not run', '`belfry start`; a hook starts it as well, unless that is forbidden'],
    ['it is of another version', '`belfry restart`'],
  ],
  run: async ({ paths }) => {
    const info = runningDaemon(paths);
    if (!info) return [fail('no daemon runs', 'run `belfry start`; if it does not stay, `belfry daemon` shows why')];
    if (info.version !== VERSION)
      return [fail(`the daemon is of version ${info.version}, the package of ${VERSION}`, 'run `belfry restart`')];
    return [ok(`the daemon runs (pid ${info.pid}, version ${info.version})`)];
  },
});
