// `belfry daemon`: runs in the foreground until Ctrl-C, SIGTERM or `belfry stop`.
import { ownPaths } from '../wire/surroundings.ts';
import type { Define } from './entry.ts';

export const define: Define = (command, io) => {
  command.action(async () => {
    const { runDaemon } = await import('../daemon/run.ts');
    if (io.tty) io.note(`the log is ${ownPaths().daemonLog}; Ctrl-C stops the daemon`);
    await runDaemon({ auto: false });
  });
};
