// Notices that the settings file changed, appeared or went, also behind a symlink and in a folder that is not there yet.
import { type FSWatcher, existsSync, realpathSync, watch } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Editors write in several steps: wait until this long after the last one, ms. */
const SETTLE = 150;

/** Calls `changed` some moments after the file or what its link leads to may have changed. */
export function watchFile(path: string, changed: () => void): { close(): void } {
  let watchers: FSWatcher[] = [];
  let settling: NodeJS.Timeout | undefined;
  let closed = false;

  const noticed = (): void => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      arm(); // folders may have come or gone
      changed();
    }, SETTLE);
  };
  function arm(): void {
    for (const watcher of watchers) watcher.close();
    watchers = [];
    if (closed) return;
    for (const folder of new Set([nearestFolder(path), nearestFolder(target(path))])) {
      try {
        const watcher = watch(folder, { persistent: false }, (_event, name) => {
          if (concerns(path, folder, name)) noticed();
        });
        watcher.on('error', noticed);
        watchers.push(watcher);
      } catch {
        // the folder was removed between the check and the watch, or no watches are left: `belfry restart` and SIGHUP still read the file
      }
    }
  }
  arm();
  return {
    close: () => {
      closed = true;
      clearTimeout(settling);
      arm();
    },
  };
}

/** Below the watched folder only what leads to the file counts: its own name, or a folder on the way that was missing. */
function concerns(path: string, folder: string, name: string | null): boolean {
  if (name === null) return true;
  const seen = join(folder, name);
  return [path, target(path)].some((file) => file === seen || file.startsWith(`${seen}${sep}`));
}

function target(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there
  }
}

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(folder);
}
