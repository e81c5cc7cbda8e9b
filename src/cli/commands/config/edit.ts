// `belfry config edit`: opens the settings file in the user's editor, and checks it afterwards.
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { Io } from '../../io.ts';
import { rememberFolders } from '../install/remember-own-folders.ts';
import { checkFile, report } from './check.ts';

/** Ends when the editor does; errors in the file set the exit code. */
export async function edit(io: Io, paths: Paths): Promise<void> {
  const chosen = io.env['VISUAL'] || io.env['EDITOR'];
  if (!chosen && process.stdin.isTTY !== true)
    throw new UserError('there is no terminal for an editor: use `belfry config set PATH VALUE`', EXIT.usage);
  const editor = chosen || (process.platform === 'win32' ? 'notepad' : 'vi');
  await rememberFolders(paths);
  await mkdir(dirname(paths.config), { recursive: true, mode: 0o700 });
  const code = await run(editor, paths.config, io);
  if (code !== 0)
    throw new UserError(
      code === 127 || code === null
        ? `cannot start the editor "${editor}": set VISUAL or EDITOR`
        : `the editor "${editor}" ended with ${code}; the settings were not checked`,
    );
  const checked = await checkFile(paths, undefined, io.env);
  report(io, checked);
  if (!checked.ok && !io.json) io.note('until this is fixed, a running daemon keeps the previous settings');
}

/** The editor may have arguments of its own, as for git: the shell reads them, the path is passed as one. */
function run(editor: string, file: string, io: Io): Promise<number | null> {
  // Standard output is kept for what this command prints: an editor draws on the terminal.
  const stdio: ['inherit', 'inherit' | 'ignore', 'inherit'] = [
    'inherit',
    io.json && !io.tty ? 'ignore' : 'inherit',
    'inherit',
  ];
  return new Promise((resolve) => {
    const child =
      process.platform === 'win32'
        ? spawn(`${editor} "${file}"`, { shell: true, stdio })
        : spawn('/bin/sh', ['-c', `${editor} "$1"`, editor, file], { stdio });
    child.on('error', () => resolve(null));
    child.on('close', (code, signal) => resolve(signal === null ? code : 128));
  });
}
