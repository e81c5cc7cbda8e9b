// `--cwd`: a folder, or a pattern of folders, as the daemon understands it wherever the command was run.
import { resolve } from 'node:path';
import { EXIT, UserError } from '../../model/errors.ts';

/** A path from here becomes a whole one; `~` and a pattern that begins with `*` stay as they are. */
export function folderOf(text: string): string {
  if (text === '') throw new UserError('--cwd is empty: give a folder, such as .', EXIT.usage);
  if (/^[~*]/.test(text)) return text;
  try {
    return resolve(text);
  } catch {
    throw new UserError(
      'the folder that you are in is gone: give --cwd a whole path, or change to another folder',
      EXIT.usage,
    );
  }
}
