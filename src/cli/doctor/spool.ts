// Doctor: the spool: a private folder that can be written, with nothing waiting in it, and space on its disk.
import { access, constants, lstat, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runningDaemon } from '../../runtime/daemon-file.ts';
import { writerOfPartial } from '../../ipc/shell-spool-file.ts';
import { SPOOL_ENDING } from '../../ipc/spool.ts';
import { defineCheck, fail, type CheckResult, ok } from './check.ts';

/** A running daemon takes an event over at once; older ones are stuck, ms. */
const STUCK = 30_000;
/** Free space below which events are soon lost, bytes. */
const LITTLE = 20_000_000;

export const spoolCheck = defineCheck({
  name: 'spool',
  inspects: 'the folder that keeps events until the daemon reads them, and the space on its disk',
  fixes: [
    ['it is not a folder', 'move away what is there'],
    ['it cannot be written, or not be made', '`chmod` as shown, or a folder above it that you may write'],
    ['events are waiting and no daemon is running', '`belfry start`'],
    ['the running daemon does not read events', '`belfry restart`'],
    ['the disk is full', 'free up space'],
  ],
  run: async ({ paths, now }) => {
    const folder = paths.spool;
    const facts = await lstat(folder).catch(() => null); // none yet: the first event makes it
    const space = await free(facts ? folder : dirname(dirname(folder)));
    const full =
      space !== null && space < LITTLE
        ? [fail(`only ${Math.round(space / 1e6)} MB free for ${folder}`, 'free up space on that disk')]
        : [];
    if (!facts) return [...full, await couldBeMade(folder)];
    if (!facts.isDirectory())
      return [fail(`${folder} is not a folder`, `move it away: \`mv '${folder}' '${folder}.old'\``)];
    const writable = await access(folder, constants.W_OK | constants.X_OK).then(
      () => (facts.mode & 0o300) === 0o300, // root may write anywhere; the user it is made for may not
      () => false,
    );
    if (!writable) return [fail(`${folder} cannot be written`, `run \`chmod 700 '${folder}'\``)];
    return [...full, await waiting(folder, runningDaemon(paths) !== null, now)];
  },
});

/** A hook that cannot make it keeps nothing: no event would ever arrive. */
async function couldBeMade(folder: string): Promise<CheckResult> {
  let above = dirname(folder);
  for (;;) {
    const why = await access(above, constants.W_OK | constants.X_OK).then(
      () => null,
      ({ code }: NodeJS.ErrnoException) => code ?? 'unknown',
    );
    if (why === null) return ok('the spool is empty');
    if (why !== 'ENOENT' || above === dirname(above))
      return fail(
        `${folder} cannot be made: ${above} cannot be written (${why}), so hooks keep nothing`,
        `make ${above} a folder that you may write`,
      );
    above = dirname(above);
  }
}

async function waiting(folder: string, running: boolean, now: number): Promise<CheckResult> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SPOOL_ENDING) || writerOfPartial(name) !== null);
  if (names.length === 0) return ok('the spool is empty');
  if (!running)
    return fail(`events waiting in the spool: ${names.length}, and no daemon is running`, 'run `belfry start`');
  const times = await Promise.all(
    names.slice(0, 1_000).map((name) =>
      stat(join(folder, name)).then(
        (s) => s.mtimeMs,
        () => now,
      ),
    ),
  );
  const oldest = now - Math.min(...times);
  if (oldest < STUCK) return ok(`events being read: ${names.length}`);
  return fail(`events stuck in the spool for ${Math.round(oldest / 1000)} s: ${names.length}`, 'run `belfry restart`');
}

async function free(folder: string): Promise<number | null> {
  return statfs(folder).then(
    (fs) => fs.bavail * fs.bsize,
    () => null, // no such folder yet, or no such call here
  );
}
