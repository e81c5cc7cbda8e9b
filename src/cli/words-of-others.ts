// What other programs call our commands and subcommands, for whoever types that.

const MEANT: Readonly<Record<string, readonly string[]>> = {
  create: ['add'],
  delete: ['remove'],
  info: ['status'],
  init: ['setup'],
  list: ['show'],
  login: ['setup'],
  ls: ['list', 'show'],
  ps: ['sessions'],
  resume: ['continue'],
  remove: ['uninstall'],
  rm: ['remove', 'uninstall'],
  update: ['upgrade'],
  view: ['show'],
};

/** `; did you mean "x"?` of the commands that there are; empty: nothing is called so elsewhere. */
export function commandMeant(word: string, known: readonly string[]): string {
  const meant = Object.hasOwn(MEANT, word) ? MEANT[word]?.find((name) => known.includes(name)) : undefined;
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}
