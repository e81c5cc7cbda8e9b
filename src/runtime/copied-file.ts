// Whether a file was copied to where it lies, with the whole home: then it speaks of the original's daemon, which is not ours.
import { statSync } from 'node:fs';

/** `said`: where the file says that it was written. Nothing lies there any more: the home was moved, perhaps, and its daemon with it. */
export function isCopied(file: string, said: unknown): boolean {
  if (typeof said !== 'string' || said === file) return false;
  const there = inode(said);
  return there !== undefined && there !== inode(file);
}

/** What tells a file from another at its place; undefined when there is none. */
export const inode = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
