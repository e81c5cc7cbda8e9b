// What a question is about, read out of its JSON: whatever is missing counts as not said.

import { folderOf } from '../names.ts';

export interface Subject {
  readonly agent: string | null;
  /** The folder that it is in, whole. */
  readonly cwd: string | null;
  /** Its last name. */
  readonly folder: string | null;
  readonly tool: string | null;
  readonly text: string;
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly question: string;
  readonly options: readonly string[];
  /** Of each option; missing or null: it has none. */
  readonly descriptions: readonly (string | null)[];
  readonly multiple: boolean;
}

/** Reads the subject of a question. */
export function subjectOf(json: Readonly<Record<string, unknown>>): Subject {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const { choices } = json;
  return {
    agent: text(json['agent']),
    cwd: text(json['cwd']),
    folder: folderOf(text(json['cwd'])),
    tool: text(json['tool']),
    text: text(json['text']) ?? '',
    choices: Array.isArray(choices) ? choices.map((one) => choiceOf(one as Partial<Choice>)) : [],
  };
}

const choiceOf = ({ question = '', options = [], descriptions = [], multiple = false }: Partial<Choice>): Choice => ({
  question,
  options,
  descriptions,
  multiple,
});
