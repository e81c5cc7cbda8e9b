// `belfry answer` at a terminal: shows what is open, one after the other, and asks.
import type { Answer } from '../../../model/question/answering.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Question } from '../../../model/question/question.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Io } from '../../io.ts';
import { describeRow } from '../pending/describe-row.ts';
import { type PendingRow, readRows, waitsAtTerminal } from '../pending/rows.ts';
import { painter } from '../../output/table-output.ts';
import { withStore } from '../../reading/with-store.ts';
import { answeredLine, giveAnswer } from './give-answer.ts';
import { askLine } from './prompter.ts';
import { type AskLine, decide } from './read-answer.ts';

/** What is shown is what is answered: the row is read once. */
type Shown = PendingRow & {
  readonly question: Question;
  readonly subject: NonNullable<PendingRow['subject']>;
  readonly seen: string;
};

/** Until nothing is open that was not shown, or they have had enough. */
export async function walk(io: Io, wait: boolean): Promise<void> {
  const shown = new Set<string>();
  for (;;) {
    const rows = await readAll();
    const open = rows.filter(isShown).filter(({ question }) => !shown.has(question.id));
    const [row] = open;
    if (row === undefined) return end(io, rows, shown.size);
    if (shown.size > 0) io.line('');
    shown.add(row.question.id);
    if (!(await askAbout(io, row, wait, true))) return;
  }
}

/** The one that was named. UserError: it is not open any more. */
export async function askFor(io: Io, named: Question, wait: boolean, given: Answer | null): Promise<void> {
  const row = (await readAll()).filter(isShown).find(({ question }) => question.id === named.id);
  if (row === undefined) throw new UserError(`${overWords(named)} (nothing was sent)`, EXIT.refused);
  if (given === null) return void (await askAbout(io, row, wait, false));
  await show(io, row);
  const sure = await askLine(
    `${given.type === 'choose' ? 'Answer' : given.type === 'deny' ? 'Deny' : 'Allow'} this? yes or no: `,
  );
  if (sure !== 'yes' && sure !== 'y') throw new UserError('nothing was sent');
  await hand(io, row, given, wait);
}

const overWords = ({ answeredBy, closed }: Question): string =>
  answeredBy === null ? (closed ?? 'nobody waits for an answer to it any more') : `${answeredBy} answered first`;

const readAll = (): Promise<readonly PendingRow[]> => withStore((store) => readRows(store, resolveOwnPaths()));

const isShown = (row: PendingRow): row is Shown => row.question !== null && row.subject !== null && row.seen !== null;

async function show(io: Io, row: Shown): Promise<void> {
  const style = { width: io.columns, now: Date.now(), paint: await painter(io) };
  for (const line of describeRow(row, style, null)) io.line(line);
}

/** False: they have had enough. */
async function askAbout(io: Io, row: Shown, wait: boolean, others: boolean): Promise<boolean> {
  await show(io, row);
  const ask: AskLine = askLine;
  for (;;) {
    const decided = await decide(row.question, row.subject, ask, others);
    if (decided === 'quit') return false;
    if (decided === 'skip') return true;
    try {
      await hand(io, row, decided, wait);
      return true;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // What the question does not take is asked for again; whatever else is wrong ends it.
      if (error.exit !== EXIT.usage && !others) throw error;
      io.note(error.message);
      if (error.exit !== EXIT.usage) {
        io.exit = error.exit;
        return error.exit === EXIT.refused;
      }
    }
  }
}

async function hand(io: Io, { question, seen, event }: Shown, answer: Answer, wait: boolean): Promise<void> {
  const { taken } = await giveAnswer(question, seen, answer, wait);
  io.line(answeredLine(question, answer, event?.project ?? null));
  if (taken === false) io.note('the agent has the answer, but its hook has not left yet');
}

function end(io: Io, rows: readonly PendingRow[], shown: number): void {
  const elsewhere = rows.filter(waitsAtTerminal).length;
  const more =
    elsewhere === 0 ? '' : `; ${elsewhere} can be answered at the terminal only: \`belfry pending\` shows which`;
  if (shown > 0) io.line('');
  io.line(`nothing ${shown > 0 ? 'else ' : ''}waits for an answer from here${more}`);
}
