// A word as somebody types it into a shell.

/** In quotes where a POSIX shell would take it for something else. */
export const quotedWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
