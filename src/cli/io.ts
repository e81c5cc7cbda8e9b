// A command's input and output: streams, and whether a person or a program reads them.
import type { ExitCode } from '../model/errors.ts';

/** Passed to every command. */
export interface Io {
  /** The command with its subcommands: "belfry api sessions get". What goes wrong is said after it. */
  name: string;
  /** `--json`: machine output with stable field names. */
  readonly json: boolean;
  /** Standard output is a terminal. */
  readonly tty: boolean;
  /** Colour is wanted: a terminal without NO_COLOR. */
  readonly color: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
  readonly env: NodeJS.ProcessEnv;
  /** Text to standard output, a line feed added. */
  readonly line: (text: string) => void;
  /** Text to standard error, a line feed added: notes beside the output. */
  readonly note: (text: string) => void;
  /** A value to standard output as one JSON document. */
  readonly data: (value: unknown) => void;
  /** The exit code when no error is thrown. */
  exit: ExitCode;
}

/** The streams of this process, for the command of this name. */
export function processIo(json: boolean, name = 'belfry'): Io {
  const { stdout, stderr, env } = process;
  const tty = stdout.isTTY === true;
  return {
    name,
    json,
    tty,
    color: tty && !json && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    columns: stdout.columns || 80,
    env,
    line: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    data: (value) => void stdout.write(`${JSON.stringify(value, null, tty ? 2 : 0)}\n`),
    exit: 0,
  };
}
