// `belfry completion SHELL`: prints a script that completes commands, options and agents.
import { Argument } from 'commander';
import { bash } from './bash.ts';
import { fish } from './fish.ts';
import { powershell } from './powershell.ts';
import { commandTree, type Spot } from './tree.ts';
import { zsh } from './zsh.ts';
import type { Define } from '../../command-entry.ts';

const SHELLS: Readonly<Record<string, (spots: readonly Spot[]) => string>> = { bash, zsh, fish, powershell };

export const define: Define = (command, io, commands) => {
  command
    .addArgument(new Argument('<SHELL>', 'the shell').choices(Object.keys(SHELLS)))
    .action(async (shell: string) => {
      const script = SHELLS[shell]?.(await commandTree(commands)) ?? ''; // commander has checked the name
      if (io.json) io.data({ shell, script });
      else io.line(script.trimEnd());
    });
};
