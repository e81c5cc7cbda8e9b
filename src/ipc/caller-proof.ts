// Shows the daemon which process gives a command: it names a file for this command alone, which is opened and read here.
import { joinPath } from '../runtime/join-path.ts';
import { PROOF_FORM, PROOFS, type ProofRequest } from './frames.ts';

/** A file that is open until it is closed here. */
export interface Proof {
  /** What to send; empty: the file is not on this machine. */
  readonly content: string;
  readonly close: () => void;
}

/** Null: the line asks for no proof. Only a file of that folder is read, and nothing but what belongs in it is sent: the other end may be elsewhere. */
export function openProof(run: string, line: string): Proof | null {
  const { prove } = JSON.parse(line) as Partial<ProofRequest>;
  if (prove === undefined) return null;
  const { openSync, readSync, closeSync } = process.getBuiltinModule('node:fs');
  const nothing = { content: '', close: () => undefined };
  if (!PROOF_FORM.test(prove)) return nothing;
  try {
    const fd = openSync(joinPath(joinPath(run, PROOFS), prove), 'r');
    const bytes = Buffer.alloc(64);
    const content = bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0));
    return { content: PROOF_FORM.test(content) ? content : '', close: () => closeSync(fd) };
  } catch {
    return nothing;
  }
}
