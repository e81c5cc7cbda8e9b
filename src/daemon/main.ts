// The daemon's process as the hook and `belfry start` begin it: detached, with nobody to read its complaints but the log.
import './v8-flags.ts';
import { EXIT, UserError } from '../model/errors.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import { openLog } from './log.ts';
import { runDaemon } from './run.ts';

try {
  await runDaemon({ auto: process.argv.includes('--auto') });
} catch (error) {
  const expected = error instanceof UserError;
  const text = expected ? error.message : `unexpected trouble: ${error instanceof Error ? error.stack : String(error)}`;
  openLog(resolveOwnPaths().daemonLog)('the daemon ended', { error: text });
  process.stderr.write(`belfry daemon: ${text.split('\n')[0]}\n`);
  process.exitCode = expected ? error.exit : EXIT.other;
}
// Nothing that a module forgot to close keeps the process: its log and standard error are written at once, its journal is closed.
process.exit();
