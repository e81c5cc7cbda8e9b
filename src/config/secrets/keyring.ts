// The system's keyring through its own program: secret-tool on Linux, security on macOS. Asked only where it answers without a prompt.
import { runProgram } from '../../lib/programs/run-program.ts';
import { EXIT, UserError } from '../../model/errors.ts';

/** A keyring that is unlocked answers at once; one that takes longer shows a prompt that nobody may see, ms. */
const LIMIT = 3_000;
/** Under which all of Belfry's are found. */
const SERVICE = 'belfry';

interface Call {
  readonly program: string;
  readonly args: readonly string[];
  readonly input?: string;
}

/** Stores a value; UserError when the keyring does not take it, or does not return it afterwards. */
export async function keyringSet(name: string, value: string): Promise<void> {
  if (/[\r\n]/.test(value)) throw refused('it stores one line only');
  const call = calls(name, value)?.set;
  if (!call) throw refused(`Belfry knows none on ${process.platform}`);
  if ((await run(call)) === null) throw refused('it is missing, locked or waits for a prompt');
  if ((await keyringGet(name)) !== value) throw refused('it did not return what was stored');
}

/** The value; null when the keyring does not return it in time. */
export async function keyringGet(name: string): Promise<string | null> {
  const call = calls(name, '')?.get;
  const text = call ? await run(call) : null;
  return text === null || text === '' ? null : text.replace(/\r?\n$/, '');
}

/** Removes a value; UserError when it is still there. */
export async function keyringRemove(name: string): Promise<void> {
  const call = calls(name, '')?.remove;
  if (call) await run(call);
  if ((await keyringGet(name)) !== null)
    throw new UserError('the keyring does not remove the secret: unlock it, then try again', EXIT.other);
}

/** No value ever stands in an argument, which other users can see. */
function calls(name: string, value: string): { set: Call; get: Call; remove: Call } | null {
  if (process.platform === 'darwin') {
    const which = ['-s', SERVICE, '-a', name];
    const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`;
    return {
      set: { program: 'security', args: ['-i'], input: `add-generic-password -U ${which.join(' ')} -w ${quoted}\n` },
      get: { program: 'security', args: ['find-generic-password', ...which, '-w'] },
      remove: { program: 'security', args: ['delete-generic-password', ...which] },
    };
  }
  if (process.platform !== 'linux') return null;
  const which = ['service', SERVICE, 'name', name];
  const program = 'secret-tool';
  return {
    set: { program, args: ['store', `--label=Belfry: ${name}`, ...which], input: value },
    get: { program, args: ['lookup', ...which] },
    remove: { program, args: ['clear', ...which] },
  };
}

/** What the program prints; null when it fails or takes too long. */
async function run({ program, args, input }: Call): Promise<string | null> {
  const ran = await runProgram({ program, args, limit: LIMIT, ...(input === undefined ? {} : { input }) });
  return ran.code === 0 ? ran.stdout : null;
}

function refused(why: string): UserError {
  return new UserError(`the keyring cannot be used: ${why}; without --keyring the secret goes into a file`, EXIT.other);
}
