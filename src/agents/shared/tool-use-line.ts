// What a tool is to do: a command whole, anything else on one line.
import type { ParsedHook } from '../../model/agent/agent.ts';
import { firstString } from './fields.ts';
import { asObject } from '../../lib/json/json.ts';

const INFORMATIVE = [
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'url',
  'query',
  'pattern',
  'plan',
  'description',
  'prompt',
];

/** The tool and the most informative value of its input, a command with its lines; null when no tool is named. */
export function toolOf(name: string | null | undefined, input: unknown): ParsedHook['tool'] {
  if (!name) return null;
  const fields = asObject(input);
  const command = firstString(fields, 'command');
  if (command !== null) return { name, summary: commandOf(command) };
  const value = firstQuestion(fields['questions']) ?? firstString(fields, ...INFORMATIVE);
  return { name, summary: value === null ? null : firstLineOf(value) };
}

/** Longest command that is shown. */
const COMMAND = 1_000;

/** A command with its lines, whole where it fits. */
export function commandOf(value: string): string {
  const command = value.trim();
  return command.length > COMMAND ? `${command.slice(0, COMMAND - 1)}…` : command;
}

/** The first question of a list of questions, as several clients give it. */
export function firstQuestion(questions: unknown): string | null {
  return Array.isArray(questions) ? firstString(asObject(questions[0]), 'question', 'header') : null;
}

/** White space collapsed, truncated for a title or a line of a body. */
export function firstLineOf(value: string): string {
  const folded = value.slice(0, 2_000).replace(/\s+/g, ' ').trim();
  return folded.length > 200 ? `${folded.slice(0, 199)}…` : folded;
}
