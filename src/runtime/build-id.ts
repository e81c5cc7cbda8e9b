// Which build a program is of: what the build left beside it says, dist/build.json. It distinguishes two builds of one version.
import { dirname, join } from 'node:path';
import { readPlainFile } from './plain-file.ts';

/** Name of that file. */
export const BUILD_FILE = 'build.json';

/** What was built, and when. */
export interface Build {
  /** Hash of all that was built. */
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
}

/** A program as far as it decides who of two is to run. */
export interface BuiltVersion {
  readonly version: string;
  /** Null when not known: of an earlier version, or run from the sources. */
  readonly build: Build | null;
}

/** The build that `program`, a file of dist/, is of; null when nothing says it. */
export function buildOf(program: string): Build | null {
  try {
    return asBuild(JSON.parse(readPlainFile(join(dirname(program), BUILD_FILE), 4_096)));
  } catch {
    return null; // being installed, or none
  }
}

/** Reads one from a file's content. */
export function asBuild(value: unknown): Build | null {
  const { id, at } = (value ?? {}) as Partial<Build>;
  return typeof id === 'string' && typeof at === 'number' ? { id, at } : null;
}

/** Whether `a` is to run where `b` does: by version, then by the time of the build. Never both ways, so that two do not replace each other in turn. */
export function isNewer(a: BuiltVersion, b: BuiltVersion): boolean {
  const order = compareVersions(a.version, b.version);
  if (order !== 0) return order > 0;
  if (a.build === null || a.build.id === b.build?.id) return false;
  return b.build === null || a.build.at > b.build.at;
}

/** As semantic versioning orders them, roughly: a pre-release is before its release. What is no version is before all. */
function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => /^(\d+)\.(\d+)\.(\d+)(-.*)?$/.exec(text));
  if (!x || !y) return Number(x !== null) - Number(y !== null);
  for (const i of [1, 2, 3]) {
    const difference = Number(x[i]) - Number(y[i]);
    if (difference !== 0) return difference;
  }
  const [p, q] = [x[4], y[4]];
  if (p === undefined || q === undefined) return Number(p === undefined) - Number(q === undefined);
  return p.localeCompare(q, 'en', { numeric: true });
}
