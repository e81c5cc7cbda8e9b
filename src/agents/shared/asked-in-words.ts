// What a person is asked, in words: each question with its options, or the plan to approve.
import { asObject } from '../../lib/json/json.ts';
import { firstString } from './fields.ts';
import { firstLineOf } from './tool-use-line.ts';

const MOST_QUESTIONS = 4;
const MOST_OPTIONS = 8;
const PLAN = 2_000;

/** "Which colour?" and a line for each option, for a list of questions as several clients give it; null: there is none. */
export function questionsText(questions: unknown): string | null {
  if (!Array.isArray(questions)) return null;
  const texts = questions.slice(0, MOST_QUESTIONS).flatMap((question) => {
    const text = firstString(asObject(question), 'question', 'header');
    return text === null ? [] : [firstLineOf(text), ...optionLines(asObject(question)['options'])];
  });
  return texts.length === 0 ? null : texts.join('\n');
}

function optionLines(options: unknown): string[] {
  if (!Array.isArray(options)) return [];
  const lines = options.slice(0, MOST_OPTIONS).flatMap((option) => {
    const label = typeof option === 'string' ? option : firstString(asObject(option), 'label', 'value', 'title');
    const why = firstString(asObject(option), 'description');
    if (label === null || label.trim() === '') return [];
    return [`- ${firstLineOf(why === null || why === label ? label : `${label}: ${why}`)}`];
  });
  const more = options.length - MOST_OPTIONS;
  return more > 0 ? [...lines, `- and ${more} more`] : lines;
}

/** The questions or the plan in a tool's input; null: it asks something else. */
export function askedText(input: unknown): string | null {
  const fields = asObject(input);
  return (
    questionsText(fields['questions']) ?? questionsText([fields]) ?? firstString(fields, 'plan')?.slice(0, PLAN) ?? null
  );
}
