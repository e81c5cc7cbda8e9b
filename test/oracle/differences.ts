// Where people are told something else now than was recorded, on purpose: each with the findings that it comes from. `compare.ts` shows
// what differs; who adds a row to differences.txt writes down what is told now with `record.ts differences`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordName } from './recorded.ts';

/** By the row of the list of findings; `clock`: seen later. */
export const REASONS = {
  A3: 'What keeps a record gets each event at once, whatever is muted or quiet; before, mutes and quiet hours that named it held it and made a digest of it. What its message starts, such as steps and the latest to acknowledge, follows.',
  A4: 'A group is muted and quiet as one event is: its sends that wait, its escalation and its reminders, also where that began later. What is acknowledged or pressed latest follows.',
  A9: 'What several holds let out at one time is one digest, what would be escalated or repeated of several at the same time is one message, and what a digest took in escalates and repeats after it.',
  F7: 'A digest follows its members: it is changed when one of them is over, and taken back when all are; nothing acknowledges it afterwards.',
  steps:
    'What is to follow is there: steps of a route whose channel the group of another takes, and of what a mute takes out of a group. Those of a digest that somebody asked for come one after the other, and a held one brings back only what it was about. What is acknowledged, pressed or tried latest follows.',
  answer: 'A message offers no answer once its question is over, also where its session went on before that was known.',
  group:
    'What comes shortly before a group may be sent again waits for others, also where others joined before; it no longer goes out alone, with the next a minute later. What is acknowledged or pressed latest follows.',
  clock:
    'What is overdue after the clock was set, as after a suspend, goes out within a minute, no longer within five, and what counts from it follows; of what is due in the same millisecond another may come first.',
} as const;

export type Finding = keyof typeof REASONS;

export interface Difference {
  readonly record: RecordName;
  /** Of the account. */
  readonly name: string;
  readonly findings: readonly Finding[];
}

/** A line each: its record, its name, and the findings. */
export const DIFFERENCES: readonly Difference[] = readFileSync(join(import.meta.dirname, 'differences.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [record, name = '', ...findings] = line.split('\t');
    return { record, name, findings } as Difference; // checked by differences.test.ts
  });
