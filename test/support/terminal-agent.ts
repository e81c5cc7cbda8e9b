// An agent in a terminal: a process with a client's name that hands each input it is told to the built hook.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOOK } from './programs.ts';

/** One agent; it lives as long as its terminal. */
export interface TerminalAgent {
  /** The program to run in the terminal. */
  readonly program: string;
  /** Has its hook take this input. */
  readonly hook: (input: Readonly<Record<string, unknown>>) => void;
}

/** Its files are in this folder. The hook gets BELFRY_HOME from the terminal. */
export function terminalAgent(folder: string): TerminalAgent {
  const program = join(folder, 'claude');
  const inputs = join(folder, 'inputs');
  writeFileSync(inputs, '');
  const hand = `printf '%s' "$line" | '${process.execPath}' '${HOOK}' --agent claude`;
  const lines = [
    '#!/bin/sh',
    'echo "claude is at work"',
    `tail -n +1 -f '${inputs}' | while read -r line; do`,
    hand,
    'done',
  ];
  writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o700 });
  return { program, hook: (input) => appendFileSync(inputs, `${JSON.stringify(input)}\n`) };
}
