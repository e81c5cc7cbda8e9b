// What the engine works with in this process: this machine, this package, our state folder.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXIT, UserError } from '../src/model/errors.ts';
import { PROMPT_MARKER } from '../src/runtime/daemon-file.ts';
import {
  askCommand,
  farAskCommand,
  type HookCommand,
  hookCommand,
  type HookForm,
  isHookCommand,
} from '../src/runtime/hook-command.ts';
import { fallbackCopy } from '../src/runtime/fallback-files.ts';
import type { Paths } from '../src/runtime/paths.ts';
import { FAR_FOLDER } from '../src/runtime/remote-command.ts';
import { stableNode, stablePath } from '../src/runtime/stable-path.ts';
import { backupRecordsIn } from './files/backup-records.ts';
import type { FileAccess } from './files/access.ts';
import type { CommandFor } from './hook-entries.ts';
import type { AnswerChoice } from './answer-entries.ts';
import type { InstallContext } from './install.ts';
import { packageFolder } from './package-folder.ts';
import type { Machine } from './settings-file.ts';

/** This process's machine. UserError where its home is empty: agents' settings would be looked for in the current folder. */
export function thisMachine(): Machine {
  const home = homedir();
  if (home === '') throw new UserError('HOME is empty: set it to your home folder (nothing was changed)', EXIT.usage);
  return { home, env: process.env, platform: process.platform };
}

/** Folder of the backup records. */
export function backupsIn(paths: Paths): string {
  return join(paths.state, 'backups');
}

/** A module holds the command line as a string of its language. */
const isOurs = (text: string): boolean => isHookCommand(text) || isHookCommand(text.replaceAll('\\"', '"'));

/** The command lines of an agent's hooks, which differ by its events. */
function commandsOf(how: Pick<HookCommand, 'form' | 'node' | 'packageDir' | 'fallback'>): CommandFor {
  return (agent, event) => {
    const print = event === null ? null : agent.stdoutFor(event.name);
    return hookCommand({
      ...how,
      agent: agent.name,
      ...(event?.named ? { event: event.name } : {}),
      ...(event?.role === 'signal' ? { marker: PROMPT_MARKER } : {}),
      ...(print === null ? {} : { print }),
    });
  };
}

/** Tools for a machine elsewhere with this home folder; what its files were is kept in `records`, a folder here. */
export function farTools(
  home: string,
  records: string,
  files: FileAccess,
  { dryRun, answer }: { readonly dryRun: boolean; readonly answer: AnswerChoice },
): InstallContext {
  const packageDir = `${home}/${FAR_FOLDER}`;
  return {
    // Without Node and without a daemon there: the shell hook leaves a file for the relay.
    command: commandsOf({ form: 'fast', node: '-', packageDir }),
    asker: pathToFileURL(`${packageDir}/dist/belfry-ask.mjs`, { windows: false }).href,
    ask: (agent, { reply, beside }) => farAskCommand({ agent: agent.name, reply, beside, packageDir }),
    answer: { answer, terminal: false, far: true },
    isOurs,
    options: { records: backupRecordsIn(records), dryRun, files, newMode: 0o600 },
  };
}

/** Tools for a form of hook command. */
export function ownTools(
  paths: Paths,
  options: { form: HookForm; dryRun: boolean; shared: boolean; answer?: AnswerChoice; terminal?: boolean },
): InstallContext {
  const folder = stablePath(packageFolder());
  const node = stableNode(process.execPath, process.env);
  return {
    command: commandsOf({
      form: process.platform === 'win32' ? 'cmd' : options.form,
      node,
      packageDir: folder,
      fallback: { path: fallbackCopy(paths), home: process.env['HOME'] ?? '' },
    }),
    asker: pathToFileURL(join(folder, 'dist', 'belfry-ask.mjs')).href,
    ask: (agent, { reply, beside }) => askCommand({ agent: agent.name, reply, beside, node, packageDir: folder }),
    answer: { answer: options.answer ?? 'keep', terminal: options.terminal ?? null },
    isOurs,
    // A project's settings are shared with others; the user's may hold secrets.
    options: {
      records: backupRecordsIn(backupsIn(paths)),
      dryRun: options.dryRun,
      newMode: options.shared ? 0o644 : 0o600,
    },
  };
}
