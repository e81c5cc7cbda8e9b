// `belfry service`: lets the operating system's service manager start the daemon when you log in.
import {
  installService,
  managerRuns,
  serviceRuns,
  serviceState,
  type ServiceState,
  uninstallService,
} from '../../../../installers/service/control.ts';
import { mechanismFor } from '../../../../installers/service/index.ts';
import { ownServiceSpec } from '../../../../installers/service/spec.ts';
import { backupRecordsIn } from '../../../../installers/files/backup-records.ts';
import { backupsIn } from '../../../../installers/install-context.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { runningDaemon } from '../../../runtime/daemon-file.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';
import { removeOwnFolders } from '../install/remove-own-folders.ts';
import { stopDaemon } from '../../daemon/stop-daemon.ts';
import { sleep } from '../../../lib/clock.ts';

/** Longest wait for a daemon that has just been started, ms. */
const PATIENCE = 30_000;
const LOOK = 50;

const NO_MANAGER =
  'no service manager is running for your user; none is needed: a hook starts the daemon, and so does `belfry start`';

const stateWords = (state: ServiceState, title: string, file: string): string =>
  ({
    absent: 'not installed, and not needed: a hook starts the daemon; `belfry service install` installs it',
    outdated: `outdated: ${file} is of another version, install path or Node; \`belfry service install\` renews it`,
    unmanaged: `${file} exists, but no service manager is running for your user; a hook starts the daemon`,
    stopped: `stopped: the ${title} is installed and does not run; \`belfry service install\` starts it`,
    running: `running as a ${title}: ${file}`,
  })[state];

export const define: Define = (command, io) => {
  const options = (dryRun: boolean) => ({
    records: backupRecordsIn(backupsIn(resolveOwnPaths())),
    dryRun,
    newMode: 0o644,
  });
  command
    .command('install')
    .description('start the daemon when you log in')
    .option('--dry-run', 'print what would be written')
    .action(async (flags: { dryRun?: true }) => {
      const paths = resolveOwnPaths();
      const spec = ownServiceSpec(paths);
      const mechanism = mechanismFor(process.platform);
      if (!mechanism) throw new UserError(NO_MANAGER);
      if (!flags.dryRun) {
        if (!(await managerRuns(mechanism))) throw new UserError(NO_MANAGER);
        // One that a hook or a person started would keep the service's own from starting.
        if (!(await serviceRuns(mechanism, spec))) await stopDaemon(paths);
      }
      const change = await installService(mechanism, spec, options(flags.dryRun === true));
      if (io.json) return io.data({ ...change, mechanism: mechanism.title });
      if (flags.dryRun) return io.line(change.diff.trimEnd() || `${change.file} would not change`);
      io.line(`The daemon now runs as a ${mechanism.title}: ${change.file}`);
    });
  command
    .command('uninstall')
    .description('stop the service and remove it')
    .option('--dry-run', 'print what would be removed')
    .action(async (flags: { dryRun?: true }) => {
      const mechanism = mechanismFor(process.platform);
      if (!mechanism) throw new UserError(NO_MANAGER);
      const spec = ownServiceSpec(resolveOwnPaths());
      const change = await uninstallService(mechanism, spec, options(flags.dryRun === true));
      if (!flags.dryRun && change.action !== 'unchanged') await removeOwnFolders(resolveOwnPaths());
      if (io.json) return io.data({ ...change, mechanism: mechanism.title });
      if (change.action === 'unchanged') io.line('No service is installed.');
      else if (flags.dryRun) io.line(change.diff.trimEnd());
      else io.line(`Removed the ${mechanism.title}: ${change.file}`);
    });
  command
    .command('status')
    .description('whether the service is installed, up to date and running (exit 0), or not (7)')
    .action(async () => {
      const mechanism = mechanismFor(process.platform);
      const spec = ownServiceSpec(resolveOwnPaths());
      const state = mechanism ? await serviceState(mechanism, spec) : 'absent';
      const file = mechanism?.file(spec) ?? null;
      if (state !== 'running') io.exit = EXIT.unreachable;
      if (io.json) return io.data({ state, file, mechanism: mechanism?.title ?? null });
      io.line(stateWords(state, mechanism?.title ?? '', file ?? ''));
    });
  command
    .command('ready', { hidden: true })
    .description('wait until the daemon answers; for service managers')
    .action(async () => {
      const paths = resolveOwnPaths();
      for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
        const info = runningDaemon(paths);
        if (info) return io.json ? io.data({ pid: info.pid }) : undefined;
        await sleep(LOOK);
      }
      throw new UserError('the daemon did not start: `belfry daemon` shows why', EXIT.unreachable);
    });
};
