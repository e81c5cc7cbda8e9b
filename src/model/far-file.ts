// Files of machines elsewhere: how a path of one is written here, and what is known of one.

const FAR = /^remote:\/\/([^/]+)(\/.*)$/s;

/** A path on the machine elsewhere that the settings call so, whole or below `~/`; null: it is none that can be looked at there. */
export function farPath(remote: string, path: string | null): string | null {
  const [, whole] = /^(?=~?\/)(.*)$/s.exec(path ?? '') ?? [];
  return whole === undefined ? null : `remote://${remote}${whole.startsWith('~') ? '/' : ''}${whole}`;
}

/** Machine and path of one; null: it is a path of this machine. */
export function farPlace(path: string): { readonly remote: string; readonly path: string } | null {
  const [, remote, there] = FAR.exec(path) ?? [];
  return remote === undefined || there === undefined ? null : { remote, path: there.replace(/^\/(?=~\/)/, '') };
}

/** A clock there that is wrong by more, ms, gives what is written there the times of other turns: nothing of it is used. */
export const SAME_CLOCK = 3_000;

/** The end of a file there, as it was found. Times are Unix ms by the clock there. */
export interface FarFile {
  readonly size: number;
  readonly modified: number;
  /** When it was looked at. */
  readonly now: number;
  readonly end: Uint8Array;
}
