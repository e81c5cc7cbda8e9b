// A command that is asked for, taken apart: its steps, what of each is hard to undo, and what the client says below it.
import { dangersOf } from './dangers.ts';
import { type ShellStep, shellSteps } from './shell-steps.ts';

/** Longest command that is taken apart, in UTF-16 units. */
const LONGEST = 20_000;

/** How a line begins that clients add below a command; it is no step. */
const ADDED = /^(?:description|timeout|run_in_background|is_background|dangerouslyDisableSandbox): /;

/** Joined, the steps and what is below are the text, letter by letter. */
export interface ReadCommand {
  readonly steps: readonly ShellStep[];
  /** Of each step, in words; empty: none was seen. */
  readonly dangers: readonly (readonly string[])[];
  readonly below: string;
}

/** `cwd`: the folder that it is run in; null: not known. */
export function readCommand(text: string, cwd: string | null): ReadCommand {
  const below = belowOf(text);
  const command = text.slice(0, text.length - below.length);
  const steps = text.length > LONGEST ? [{ text: command, joiner: '' }] : shellSteps(command);
  return { steps, dangers: dangersOf(steps, cwd), below };
}

/** The lines at the end that the client added, from the line feed before them; empty: there are none. */
function belowOf(text: string): string {
  let start = text.length;
  for (let end = text.endsWith('\n') ? start - 1 : start, at = 0; at !== -1; end = at) {
    at = text.lastIndexOf('\n', end - 1);
    if (at === -1 || !ADDED.test(text.slice(at + 1, end))) break;
    start = at;
  }
  return text.slice(start);
}
