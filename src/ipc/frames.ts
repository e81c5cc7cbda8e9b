// The local socket's protocol. One connection carries one exchange:
//   hook:    EnvelopeHeader line, raw bytes         -> {"ok":true,"id":...}\n once journaled, or {"ok":false,"error":...}\n
//   command: {"v":1,"op":NAME,"args":{...}}\n       -> one JSON line per answer; the last has "done":true
// A first line with "op" is a command, any other is an envelope.

/** A request of the command line to the daemon. */
export interface Command {
  readonly v: 1;
  readonly op: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The daemon's answer to a hook. */
export type Acknowledgement =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly error: string };

/** One line of the daemon's answer to a command. */
export type Reply =
  | { readonly data: unknown; readonly done?: true }
  | { readonly error: string; readonly exit: number; readonly done: true };

/** Longest first line accepted: 256 KiB. */
export const LINE_LIMIT = 256 * 1024;
