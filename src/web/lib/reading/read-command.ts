// A command that is asked for, taken apart: its steps, what of each is hard to undo, and what the client says below it.
import { dangersOf } from './dangers.ts';
import { type ShellStep, shellSteps } from './shell-steps.ts';

/** Longest command that is taken apart, in UTF-16 units. */
const LONGEST = 20_000;

/** What clients say of a command below it; it is no step. */
const BELOW =
  /\n(?:(?:description|timeout|run_in_background|is_background|dangerouslyDisableSandbox): [^\n]*(?:\n|$))+$/;

/** Joined, the steps and what is below are the text, letter by letter. */
export interface ReadCommand {
  readonly steps: readonly ShellStep[];
  /** Of each step, in words; empty: none was seen. */
  readonly dangers: readonly (readonly string[])[];
  readonly below: string;
}

/** `cwd`: the folder that it is run in; null: not known. */
export function readCommand(text: string, cwd: string | null): ReadCommand {
  const below = BELOW.exec(text)?.[0] ?? '';
  const command = text.slice(0, text.length - below.length);
  const steps = text.length > LONGEST ? [{ text: command, joiner: '' }] : shellSteps(command);
  return { steps, dangers: dangersOf(steps, cwd), below };
}
