// The local socket's protocol. One connection carries one exchange:
//   hook:    EnvelopeHeader line, raw bytes         -> {"ok":true,"id":...}\n once journaled, or {"ok":false,"error":...}\n
//   command: {"v":1,"op":NAME,"args":{...},"pid":PID}\n -> one JSON line per answer; the last has "done":true
// Before what not everybody may command the daemon asks who it is:
//            {"prove":FILE}\n                      <- what is in that file of the folder of proofs, which stays open to the end
// A first line with "op" is a command, any other is an envelope.

/** A request of the command line to the daemon. */
export interface Command {
  readonly v: 1;
  readonly op: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Who asks: it can prove it. */
  readonly pid?: number;
}

/** Asks whoever gave a command to show that they are a process of this machine: the name of a file, which they open and read. */
export interface ProofRequest {
  readonly prove: string;
}

/** Folder of the run folder where such files are, each for one command. */
export const PROOFS = 'proofs';
/** How they are called, and what is in them: nobody can guess either. */
export const PROOF_FORM = /^[\da-f]{32}$/;

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
