// What the engine works with in this process: this machine, this package, our state folder.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from '../src/model/agent/agent.ts';
import { PROMPT_MARKER } from '../src/runtime/daemon-file.ts';
import { askCommand, hookCommand, type HookForm, isHookCommand } from '../src/runtime/hook-command.ts';
import { fallbackCopy } from '../src/runtime/fallback-files.ts';
import type { Paths } from '../src/runtime/paths.ts';
import { stableNode, stablePath } from '../src/runtime/stable-path.ts';
import { backupRecordsIn } from './files/backup-records.ts';
import type { AnswerChoice } from './answer-entries.ts';
import type { InstallContext } from './install.ts';
import { packageFolder } from './package-folder.ts';
import type { Machine } from './settings-file.ts';

/** This process's machine. */
export function thisMachine(): Machine {
  return { home: homedir(), env: process.env, platform: process.platform };
}

/** Folder of the backup records. */
export function backupsIn(paths: Paths): string {
  return join(paths.state, 'backups');
}

/** Tools for a form of hook command. */
export function ownTools(
  paths: Paths,
  options: { form: HookForm; dryRun: boolean; shared: boolean; answer?: AnswerChoice; terminal?: boolean },
): InstallContext {
  const folder = stablePath(packageFolder());
  const node = stableNode(process.execPath, process.env);
  const command = (agent: Agent, event: Agent['events'][number] | null): string => {
    const print = event === null ? null : agent.stdoutFor(event.name);
    return hookCommand({
      form: process.platform === 'win32' ? 'cmd' : options.form,
      agent: agent.name,
      node,
      packageDir: folder,
      fallback: { path: fallbackCopy(paths), home: process.env['HOME'] ?? '' },
      ...(event?.named ? { event: event.name } : {}),
      ...(event?.role === 'signal' ? { marker: PROMPT_MARKER } : {}),
      ...(print === null ? {} : { print }),
    });
  };
  return {
    command,
    asker: pathToFileURL(join(folder, 'dist', 'belfry-ask.mjs')).href,
    ask: (agent, { reply, beside }) => askCommand({ agent: agent.name, reply, beside, node, packageDir: folder }),
    answer: { answer: options.answer ?? 'keep', terminal: options.terminal ?? null },
    // A module holds the command line as a string of its language.
    isOurs: (text) => isHookCommand(text) || isHookCommand(text.replaceAll('\\"', '"')),
    // A project's settings are shared with others; the user's may hold secrets.
    options: {
      records: backupRecordsIn(backupsIn(paths)),
      dryRun: options.dryRun,
      newMode: options.shared ? 0o644 : 0o600,
    },
  };
}
