// The ends of files of machines elsewhere, looked at as those of this one are.
import type { Clock } from '../../lib/clock.ts';
import { type FarFile, farPlace, SAME_CLOCK } from '../../model/far-file.ts';
import type { FileEntry, Files } from '../../files/index.ts';

/** The last `most` bytes of a plain file below the home folder there; null: there is none, or nobody can say now. Must not reject. */
export type LookThere = (remote: string, path: string, most: number) => Promise<FarFile | null>;

/** Ms for which the size of a file there is known: each look is a few programs there. */
const KNOWN = 5_000;
/** Files whose size is kept. */
const MOST_KNOWN = 100;
/** It tells whole seconds. */
const SECOND = 1_000;

/** Of a path there only its size, time and end can be seen. */
export function withFarFiles(here: Files, look: LookThere, clock: Clock): Files {
  const known = new Map<string, { readonly at: number; readonly entry: Promise<FileEntry | null> }>();
  const isFar = (path: string): boolean => farPlace(path) !== null;

  async function found(path: string, most: number): Promise<FarFile | null> {
    const place = farPlace(path);
    const asked = clock.now();
    const file = place && (await look(place.remote, place.path, most));
    const isNow = file !== null && file.now + SECOND >= asked - SAME_CLOCK && file.now <= clock.now() + SAME_CLOCK;
    return isNow ? file : null;
  }

  async function looked(path: string): Promise<FileEntry | null> {
    const file = await found(path, 0);
    return file && { kind: 'file', target: null, size: file.size, mtimeMs: file.modified, uid: -1 };
  }

  function entry(path: string): Promise<FileEntry | null> {
    const last = known.get(path);
    if (last !== undefined && Math.abs(clock.now() - last.at) < KNOWN) return last.entry;
    const next = { at: clock.now(), entry: looked(path) };
    known.delete(path);
    known.set(path, next);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return next.entry;
  }

  return {
    realPath: async (path) => (isFar(path) ? path : here.realPath(path)),
    entry: (path) => (isFar(path) ? entry(path) : here.entry(path)),
    target: (path) => (isFar(path) ? entry(path) : here.target(path)),
    start: async (path, most) => (isFar(path) ? null : here.start(path, most)),
    end: async (path, most) => {
      if (!isFar(path)) return here.end(path, most);
      const file = await found(path, most);
      return file && { text: Buffer.from(file.end).toString('utf8'), whole: file.size === file.end.length };
    },
    names: async (path, most) => (isFar(path) ? null : here.names(path, most)),
    stop: () => here.stop(),
  };
}
