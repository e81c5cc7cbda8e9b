// The hook's command line. Unknown options are ignored: a hook never complains.

/** Options of belfry-hook. */
export interface Options {
  readonly agent?: string;
  readonly event?: string;
  /** Leave at once unless the run folder holds a file of this name. */
  readonly marker?: string;
  /** Text for stdout, for clients that demand an answer. */
  readonly print?: string;
}

/** Reads `--name value` and `--name=value`. */
export function readOptions(args: readonly string[]): Options {
  const options: { agent?: string; event?: string; marker?: string; print?: string } = {};
  for (let i = 0; i < args.length; i++) {
    const [, name, attached] = /^--(agent|event|marker|print)(?:=(.*))?$/s.exec(args[i] ?? '') ?? [];
    if (!name) continue;
    const value = attached ?? args[++i] ?? '';
    // A name is short; the client's own text may be anything.
    if (value) options[name as keyof typeof options] = name === 'print' ? value : value.slice(0, 128);
  }
  return options;
}
