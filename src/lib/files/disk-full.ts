// A full disk, by the words of the system and of SQLite.

/** What is the matter, and what to do. */
export const DISK_FULL = 'the disk is full: free some space, then try again';

/** True for an error that says so; a used-up quota is the same to its user. */
export function isDiskFull(error: string): boolean {
  return /database or disk is full|ENOSPC|EDQUOT/.test(error);
}
