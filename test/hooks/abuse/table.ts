// All abuse cases, and those for one of the hook programs.
import type { Case, HookName } from './case.ts';
import { DAEMON_CASES } from './daemons.ts';
import { ENVIRONMENT } from './environment.ts';
import { FOLDERS } from './folders.ts';
import { STDIN } from './stdin.ts';

export const CASES: readonly Case[] = [...STDIN, ...ENVIRONMENT, ...FOLDERS, ...DAEMON_CASES];

/** The cases that make sense for a hook program. */
export function casesFor(hook: HookName): readonly Case[] {
  return CASES.filter(({ hooks }) => hooks === undefined || hooks.includes(hook));
}
