// A passphrase from a prompt, or from standard input where nobody is asked.
import { EXIT, UserError } from '../../model/errors.ts';
import type { Io } from '../io.ts';
import { unseenText } from './piped-text.ts';

/** Characters at least: it may be tried at leisure by whoever has the file. */
const SHORTEST = 8;
/** Bytes of one at most. */
const LIMIT = 1_024;

/** One that is chosen now: asked for twice on a terminal. UserError where it is too short, or both differ. */
export async function newPassphrase(io: Io): Promise<string> {
  const first = await passphrase(io, 'Passphrase for the file');
  if (first === '' && !process.stdin.isTTY)
    throw new UserError(
      'there is no terminal to ask for a passphrase: send one to standard input; nothing was written',
      EXIT.usage,
    );
  if (first.length < SHORTEST)
    throw new UserError(`the passphrase needs at least ${SHORTEST} characters; nothing was written`, EXIT.usage);
  if (process.stdin.isTTY && (await passphrase(io, 'Repeat the passphrase')) !== first)
    throw new UserError('the passphrases differ; nothing was written', EXIT.usage);
  return first;
}

/** One that exists. */
export async function passphrase(io: Io, message: string): Promise<string> {
  return (await unseenText(io, message, LIMIT, 'the passphrase')).replace(/\r?\n$/, '');
}
