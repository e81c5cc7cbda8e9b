// What a tool is asked for, on one line.
import type { ParsedHook } from '../../model/agent.ts';
import { firstString } from './fields.ts';
import { asObject } from '../../lib/json.ts';

const INFORMATIVE = [
  'command',
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

/** The tool and the most informative value of its input; null when no tool is named. */
export function toolOf(name: string | null | undefined, input: unknown): ParsedHook['tool'] {
  if (!name) return null;
  const fields = asObject(input);
  const value = firstQuestion(fields['questions']) ?? firstString(fields, ...INFORMATIVE);
  return { name, summary: value === null ? null : firstLineOf(value) };
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
