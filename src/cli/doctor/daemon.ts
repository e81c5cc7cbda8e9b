// Doctor: the daemon: running, and of the package's version.
import { VERSION } from '../../lib/version.ts';
import { runningDaemon } from '../../runtime/daemon-file.ts';
import { defineCheck, fail, ok } from './check.ts';

export const daemonCheck = defineCheck({
  name: 'daemon',
  inspects: 'whether the daemon is running, and its version',
  fixes: [
    ['it is not running', '`belfry start`; a hook starts it too, unless you have switched that off'],
    ['it has another version than the package', '`belfry restart`'],
  ],
  run: async ({ paths }) => {
    const info = runningDaemon(paths);
    if (!info) return [fail('no daemon is running', 'run `belfry start`; if it ends again, `belfry daemon` shows why')];
    if (info.version !== VERSION)
      return [fail(`the daemon has version ${info.version}, the installed package ${VERSION}`, 'run `belfry restart`')];
    return [ok(`the daemon is running (pid ${info.pid}, version ${info.version})`)];
  },
});
