// What an entry is in words: its title, where it is, and the first of what was said.
import { placeOf } from '../names.ts';
import { capitalized, counted } from '../terms.ts';
import { toolKind } from '../../../model/agent/tool-kinds.ts';
import { shownText } from '../shown-text.ts';
import type { Entry } from '../../store/entries.ts';
import type { WaitingItem } from '../../store/waiting-item.ts';
import { readCommand } from '../reading/read-command.ts';
import { subjectOf } from './question-subject.ts';

/** What it is, without where. */
export function titleOf(item: WaitingItem): string {
  const { question, notification } = item;
  if (question !== null) {
    const { tool } = subjectOf(question.subject);
    if (question.kind === 'choice') return 'Asks you to choose';
    if (question.kind === 'permission') return wantsTo(tool);
  }
  if (notification !== null) {
    const { title } = notification;
    const prefix = `${notification.project ?? placeName(item)}: `;
    const isNamed = title.toLowerCase().startsWith(prefix.toLowerCase());
    // A title whose place was cut off begins a sentence now.
    return capitalized(shownText(isNamed ? title.slice(prefix.length) : title));
  }
  return 'Finished, and takes its next instruction';
}

const WANTS = {
  shell: 'Wants to run a command',
  editor: 'Wants to change a file',
  plan: 'Has a plan for you to approve',
} as const;

function wantsTo(tool: string | null): string {
  const kind = toolKind(tool);
  if (kind !== null) return WANTS[kind];
  return tool === null ? 'Needs your permission' : `Needs permission to use ${shownText(tool)}`;
}

/** Whether its summary is of a command or a file, not of a text for people. */
export const isCodeOf = ({ question }: WaitingItem): boolean =>
  question?.kind === 'permission' && toolKind(subjectOf(question.subject).tool) !== 'plan';

/** Whether a step of its command is hard to undo: the card says which. */
export function isRisky({ question }: Pick<WaitingItem, 'question'>): boolean {
  if (question?.kind !== 'permission') return false;
  const { tool, text, cwd } = subjectOf(question.subject);
  return toolKind(tool) === 'shell' && readCommand(text, cwd).dangers.some((words) => words.length > 0);
}

/** Where it is, as its session and its events have it. */
export function placeName({ question, notification }: WaitingItem): string {
  const asked = question === null ? null : subjectOf(question.subject);
  return placeOf({
    project: notification?.project ?? null,
    cwd: notification?.cwd ?? asked?.cwd ?? null,
    agent: notification?.agent ?? asked?.agent ?? null,
  });
}

/** Places that are named; of more only how many. */
const MOST = 3;

/** Where it is: of several sessions each place once. */
export function placesOf({ lines }: Entry): string {
  const names = [...new Set(lines.map(({ item }) => placeName(item)))];
  if (names.length <= MOST) return names.join(', ');
  return `${names.slice(0, MOST - 1).join(', ')} and ${counted(names.length - MOST + 1, 'other')}`;
}

/** The beginning of what is asked or was said, on one line; empty: nothing was. */
export function summaryOf({ question, notification }: WaitingItem): string {
  if (question !== null) {
    const { text, choices } = subjectOf(question.subject);
    return firstLine(choices[0]?.question ?? text);
  }
  return firstLine(notification?.text ?? '');
}

/** Marks of Markdown at its beginning are no words. */
const firstLine = (text: string): string =>
  shownText(
    text
      .split('\n')
      .map((line) => line.replace(/^[\s#>*-]+/, '').trim())
      .find((line) => line !== '') ?? '',
  ).slice(0, 300);

/** Whether all of these words are in what it says. */
export function isFound(entry: Entry, words: readonly string[]): boolean {
  const text = entry.lines
    .map(({ item }) => [
      titleOf(item),
      placeName(item),
      summaryOf(item),
      item.notification?.agent,
      item.notification?.branch,
    ])
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
