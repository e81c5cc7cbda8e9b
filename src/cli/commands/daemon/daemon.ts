// `belfry daemon`: runs in the foreground until Ctrl-C, SIGTERM or `belfry stop`.
import { pathToFileURL } from 'node:url';
import { EXIT } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { daemonProgram } from '../../daemon/program-path.ts';
import type { Define } from '../../command-entry.ts';
import { rememberFolders } from '../install/remember-own-folders.ts';

export const define: Define = (command, io) => {
  command.action(async () => {
    await rememberFolders(resolveOwnPaths());
    if (io.tty) io.note(`Logging to ${resolveOwnPaths().daemonLog}. Press Ctrl-C to stop.`);
    // The same program as in the background, in this process; it says itself what went wrong.
    await import(pathToFileURL(daemonProgram()).href);
    io.exit = Object.values(EXIT).find((code) => code === process.exitCode) ?? EXIT.ok;
  });
};
