// The daemon as the whole of a process: runs it until it ends, writes down what ended it, and exits.
import { EXIT, UserError } from '../model/errors.ts';
import { resolveOwnPaths } from '../runtime/own-paths.ts';
import { openLog } from './shared/log.ts';
import { runDaemon } from './run.ts';
import { supervisorOf, runBelow } from './upgrade/successor.ts';
import { PROBE_ARGUMENT } from './upgrade/watch-program.ts';

/** Runs the daemon until it ends, and then ends the process; `program`: the path of its first file, which a successor is started from. */
export async function runProcess(program: string): Promise<never> {
  if (process.argv.includes(PROBE_ARGUMENT)) process.exit(); // all of the program has been loaded by now
  const supervisor = supervisorOf(process.argv, process.env);
  try {
    const end = await runDaemon({ auto: process.argv.includes('--auto'), program, supervisor });
    if (end === 'replaced' && supervisor === 'foreground') process.exitCode = await runBelow(program);
  } catch (error) {
    const expected = error instanceof UserError;
    const text = expected
      ? error.message
      : `unexpected trouble: ${error instanceof Error ? error.stack : String(error)}`;
    openLog(resolveOwnPaths().daemonLog)('the daemon ended', { error: text });
    process.stderr.write(`belfry daemon: ${text.split('\n')[0]}\n`);
    process.exitCode = expected ? error.exit : EXIT.other;
  }
  // Nothing that a module forgot to close keeps the process: its log and standard error are written at once, its journal is closed.
  process.exit();
}
