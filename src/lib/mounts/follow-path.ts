// Follows a path part by part, by its links, without touching a part that has not been judged: a link may lead anywhere.
import { basename, dirname, isAbsolute, join } from 'node:path';

/** What stands at a path without links in its folders: `target` is where a link leads, as it is written. Null: nothing, or it is not to be touched. */
export type Look = (path: string) => Promise<{ readonly target: string | null; readonly isFile?: boolean } | null>;

/** Where a folder's links lead is remembered this long, ms; folders remembered. */
const FRESH = 5_000;
const MOST_FOLDERS = 1_000;
/** As the system allows. */
const MOST_LINKS = 40;
const LONGEST = 4_096;

/** A path of another platform, or of another machine (UNC), is not tried. */
const WHOLE = process.platform === 'win32' ? /^[A-Za-z]:[\\/]/ : /^\/(?![\\/])/;

/** Whether a path can be followed at all. */
export function isWholePath(path: string): boolean {
  return WHOLE.test(path) && path.length <= LONGEST && !path.includes('\0');
}

/** Remembers what it has seen of folders and links for a moment. */
export class PathFollower {
  readonly #look: Look;
  readonly #now: () => number;
  readonly #folders = new Map<string, { readonly at: number; readonly real: string }>();

  /** `now`: Unix ms. */
  constructor(look: Look, now: () => number) {
    this.#look = look;
    this.#now = now;
  }

  /** Where a path leads; null: nowhere, or something on its way is not to be touched. */
  async follow(path: string): Promise<string | null> {
    return isWholePath(path) ? this.#real(path, { links: 0 }) : null;
  }

  /** The path with its folder's links followed, and not its own. */
  async inItsFolder(path: string): Promise<string | null> {
    const folder = isWholePath(path) ? await this.#real(dirname(path), { links: 0 }) : null;
    return folder === null ? null : join(folder, basename(path));
  }

  async #real(path: string, passed: { links: number }): Promise<string | null> {
    const above = dirname(path);
    if (above === path) return path;
    const known = this.#folders.get(path);
    if (known !== undefined && Math.abs(this.#now() - known.at) < FRESH) return known.real;
    const folder = await this.#real(above, passed);
    if (folder === null) return null;
    const name = basename(path);
    if (name === '.') return folder;
    if (name === '..') return dirname(folder);
    const here = join(folder, name);
    const found = await this.#look(here);
    if (found === null) return null;
    const real = found.target === null ? here : await this.#behind(found.target, folder, passed);
    if (real !== null && found.isFile !== true) this.#remember(path, real);
    return real;
  }

  /** Where a link in a folder leads. */
  async #behind(target: string, folder: string, passed: { links: number }): Promise<string | null> {
    passed.links += 1;
    if (passed.links > MOST_LINKS) return null;
    const path = isAbsolute(target) ? target : `${folder}/${target}`;
    return isWholePath(path) ? this.#real(path, passed) : null;
  }

  #remember(path: string, real: string): void {
    this.#folders.delete(path);
    this.#folders.set(path, { at: this.#now(), real });
    const [oldest] = this.#folders.keys();
    if (this.#folders.size > MOST_FOLDERS && oldest !== undefined) this.#folders.delete(oldest);
  }
}
