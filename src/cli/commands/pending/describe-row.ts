// One row of `belfry pending` in full: what is asked, whole, since when, who was notified, and what to type.
import { basename } from 'node:path';
import { eventTitle } from '../../../decisions/event-title.ts';
import { agentByName } from '../../../agents/index.ts';
import { leftOf, type LimitReached } from '../../../model/agent/limits.ts';
import type { Choice } from '../../../model/question/answering.ts';
import { formatDuration } from '../../../model/quantities.ts';
import { beforeChoices, onlyAtTerminal } from '../../../model/question/question-words.ts';
import { happenedAt } from '../../../model/notification/notification.ts';
import { cutGraphemes, oneLine } from '../../../lib/text/text.ts';
import { continuesWords } from '../../../model/session/go-on-plan.ts';
import type { Tone } from '../../output/table-output.ts';
import { ago } from '../../options/times.ts';
import { withTilde } from '../../output/path-for.ts';
import { wrap } from '../../output/wrap.ts';
import { quoted } from './quoted-text.ts';
import { type PendingRow, waitsAtTerminal } from './rows.ts';

/** How it is shown. */
export interface RowStyle {
  /** Columns; Infinity in a pipe. */
  readonly width: number;
  /** Unix ms. */
  readonly now: number;
  readonly paint: (tone: Tone, text: string) => string;
}

/** Characters. */
const LONGEST_TITLE = 200;
const INDENT = '   ';

/** What may be typed. */
export interface Ways {
  /** Whether there is a way to its terminal. */
  readonly canFocus: boolean;
}

/** Its lines, with what to type; `ways` null: only with what cannot be done. */
export function describeRow(row: PendingRow, { width, now, paint }: RowStyle, ways: Ways | null): string[] {
  const { number, question } = row;
  const head = number === null ? '-' : String(number);
  const room = width - Math.max(INDENT.length, head.length + 2);
  const below = (tone: Tone, text: string): string[] => wrap(text, room).map((line) => `${INDENT}${paint(tone, line)}`);
  const [title = '', ...more] = wrap(headOf(row), room);
  return [
    `${head.padEnd(INDENT.length - 1)} ${paint(question === null ? 'plain' : 'notice', title)}`,
    ...more.map((line) => `${INDENT}${paint(question === null ? 'plain' : 'notice', line)}`),
    ...below('dim', about(row, now)),
    ...askedLines(row, room).map((line) => `${INDENT}${line}`),
    ...(ways ? waysOf(row, now, ways) : notAllowed(row)).flatMap((line) => below('plain', line)),
  ];
}

const ASKS = { permission: 'needs permission', choice: 'asks a question', text: 'has finished' } as const;

/** As its notification has it, or its event where nobody was notified; null: there is neither. */
const ownTitle = ({ notification, event }: PendingRow): string | null =>
  notification?.title ?? (event === null ? null : eventTitle(event));

/** Above what is asked: its title, or who asks, in none of the agent's words. */
function headOf(row: PendingRow): string {
  const { question, subject } = row;
  const title = ownTitle(row);
  if (title !== null) return oneLine(title);
  const agent = subject?.agent ?? '';
  const who = `${agentByName(agent)?.title ?? agent} ${question === null ? 'waits' : ASKS[question.kind]}`;
  const what = question?.kind === 'permission' && subject?.tool ? ` to run ${subject.tool}` : '';
  return oneLine(`${subject?.cwd ? `${basename(subject.cwd)}: ` : ''}${who}${what}`);
}

/** One line for lists: its title, or who asks what. */
export function titleOf(row: PendingRow): string {
  const { subject, question } = row;
  const title = ownTitle(row);
  if (title !== null) return oneLine(title);
  const { tool = null, text = '' } = subject ?? {};
  const what = question?.kind === 'permission' ? text : (subject?.choices[0]?.question ?? text);
  const parts = [subject?.agent, tool, cutGraphemes(oneLine(what), LONGEST_TITLE)];
  return oneLine(parts.filter((part) => part).join(': '));
}

/** Since when, where, and who was notified. */
function about(row: PendingRow, now: number): string {
  const { notification, subject, event, continuesAt } = row;
  const cwd = event?.cwd ?? subject?.cwd ?? null;
  return [
    notification === null ? null : ago(happenedAt(notification, event), now),
    subject?.subagent ? `subagent ${oneLine(subject.subagent)}` : null,
    event?.kind === 'limit.reached' ? leftOf(event.attributes['limit'] as LimitReached, now) : null, // as limit-events.ts wrote it
    continuesAt === null ? null : continuesWords(continuesAt, now),
    cwd === null ? null : `in ${oneLine(withTilde(cwd))}`,
    notification === null ? 'nobody was notified' : sentWords(row),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** The channels, and whether they were reached. */
export function sentWords({ notified, inDigest, undelivered }: PendingRow): string {
  const reached = notified.map((name) => (inDigest.has(name) ? `${name} (in a digest)` : name));
  const missed = [...undelivered].map(([name, how]) => `${name} (${how})`);
  const all = [...reached, ...missed];
  return all.length === 0 ? 'nobody was notified yet' : `sent to ${all.join(', ')}`;
}

/** Whole. */
function askedLines({ question, subject }: PendingRow, width: number): string[] {
  if (question === null || subject === null) return [];
  if (question.kind !== 'choice') return quoted(subject.text, width);
  const before = beforeChoices(subject.text, subject.choices);
  const asked = subject.choices.map((choice) => [...quoted(choice.question, width), ...optionLines(choice, width)]);
  return [...(before === '' ? [] : [quoted(before, width)]), ...asked].flatMap((lines, at) =>
    at === 0 ? lines : ['│', ...lines],
  );
}

function optionLines({ options, descriptions }: Choice, width: number): string[] {
  return options.flatMap((option, at) => {
    const why = descriptions[at] ?? null;
    return [...quoted(`  ${at + 1}  ${option}`, width), ...(why === null ? [] : quoted(`     ${why}`, width))];
  });
}

/** What to type, and until when. */
function waysOf(row: PendingRow, now: number, { canFocus }: Ways): string[] {
  const { question, subject, notification, unanswerable } = row;
  const name = row.number === null ? (question?.id ?? row.id) : String(row.number);
  if (question === null) {
    const seen = notification?.state === 'open' ? [`Seen it: belfry ack ${name}`] : [];
    if (!waitsAtTerminal(row)) return seen;
    const there = canFocus ? ` belfry focus ${name} takes you there.` : '';
    return [`${unanswerable ?? 'Answer it at its terminal.'}${there}`, ...seen];
  }
  const left = question.deadline - now;
  const until = left > 0 ? `within ${formatDuration(left)}` : 'its time is over';
  if (question.kind === 'text') {
    const goOn =
      (notification ?? row.event)?.kind === 'session.failed' ? [`Let it go on: belfry continue ${name}`] : [];
    if (row.continuesAt !== null) goOn.push(`Don't let Belfry continue it: belfry continue ${name} --not-now`);
    return [...goOn, `Next instruction: belfry reply ${name} TEXT; ${until}`];
  }
  if (question.kind === 'choice') return [choiceWays(name, subject?.choices ?? [], until)];
  const [denied] = notAllowed(row);
  if (denied === undefined) return [`Answer: belfry answer ${name} allow, or deny; ${until}`];
  return [`Answer: belfry answer ${name} deny; ${until}. ${denied}`];
}

function notAllowed({ question }: PendingRow): string[] {
  const why = question && onlyAtTerminal(question);
  return why === null ? [] : [why];
}

function choiceWays(name: string, choices: readonly Choice[], until: string): string {
  if (choices.length > 1)
    return `Answer: belfry answer ${name} ANSWER ANSWER..., one for each question, a number or words of your own; ${until}`;
  const what = choices[0]?.multiple === true ? 'NUMBER,NUMBER...' : 'NUMBER';
  const how = (choices[0]?.options.length ?? 0) > 0 ? `${what}, or words of your own` : 'WORDS';
  return `Answer: belfry answer ${name} ${how}, or deny; ${until}`;
}
