// Files that lead a browser to the page: readable by their owner only, so that the code is in no argument of a process. Each goes once it is of no use.
import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../lib/clock.ts';

/** Ms after which its code is of no use any more. */
const USEFUL = 60_000;
const NAME = /^page-[0-9a-f]{16}\.html$/;

export interface Redirects {
  /** Where one may be written. */
  path(): string;
  write(path: string, url: string): Promise<void>;
  /** Its code was used. */
  remove(path: string | null): void;
  /** Removes what a daemon of before has left, the first time. */
  sweep(): Promise<void>;
  /** Removes all. */
  stop(): Promise<void>;
}

export function createRedirects(folder: string, clock: Clock): Redirects {
  /** What cancels the end of each. */
  const kept = new Map<string, () => void>();
  let swept = false;
  async function remove(path: string): Promise<void> {
    kept.get(path)?.();
    kept.delete(path);
    await rm(path, { force: true }).catch(() => undefined); // its code has ended all the same
  }
  return {
    path: () => join(folder, `page-${randomBytes(8).toString('hex')}.html`),
    write: async (path, url) => {
      kept.set(
        path,
        clock.setTimer(USEFUL, () => void remove(path)),
      );
      const text = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>Belfry</title>\n`;
      await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    },
    remove: (path) => void (path !== null && remove(path)),
    sweep: async () => {
      if (swept) return;
      swept = true;
      const names = await readdir(folder).catch((): string[] => []);
      await Promise.all(names.filter((name) => NAME.test(name)).map((name) => remove(join(folder, name))));
    },
    stop: async () => {
      await Promise.all([...kept.keys()].map(remove));
    },
  };
}
