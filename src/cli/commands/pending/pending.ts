// `belfry pending`: what waits for a person now, read from the store, so without a daemon too.
import { type Choice, subjectSchema } from '../../../model/question/answering.ts';
import { clockTime, shortTime } from '../../../model/time/clock-time.ts';
import { iso } from '../../../model/row-json.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import { describeRow, titleOf } from './describe-row.ts';
import { canFocusRow, type PendingRow, readRows } from './rows.ts';
import { sentWord } from '../../reading/delivery-reach.ts';
import { type Cell, type ListColumn, painter, printRows } from '../../output/table-output.ts';
import { ago } from '../../options/times.ts';
import { RECENT } from '../history/sessions.ts';
import type { Verdict } from '../../../model/event/verdict.ts';
import { failureWords } from '../../../model/session/stop-causes.ts';
import { effectiveState } from '../../../model/session/effective-state.ts';
import { happenedAt } from '../../../model/notification/notification.ts';
import type { StoreReader } from '../../../store/contract.ts';
import { shortIds, withStore } from '../../reading/with-store.ts';
import type { Question } from '../../../model/question/question.ts';
import { answersOf } from '../../../model/question/allowed-answers.ts';

const NOTHING = 'nothing is waiting for you';
/** Where something else does. */
const NOTHING_SAID = 'nothing that you were notified of is waiting';

const COLUMNS: readonly ListColumn[] = [
  { name: 'NO', rank: 0 },
  { name: 'SINCE', rank: 2 },
  { name: 'WAITS FOR', rank: 1 },
  { name: 'TITLE', rank: 0, lines: 2 },
  { name: 'ANSWERS', rank: 3 },
  { name: 'SENT TO', rank: 4 },
  { name: 'SENT', rank: 0, insteadOf: 'SENT TO' },
  { name: 'ID', rank: 5 },
];

export const define: Define = (command, io) => {
  command.option('--short', 'one line each').action(async ({ short = false }: { short?: boolean }) => {
    const paths = resolveOwnPaths();
    const { rows, unsaid, shorten, within } = await withStore(async (store) => {
      const found = await readRows(store, paths);
      const ids = found.map(({ id }) => id);
      return {
        rows: found,
        unsaid: io.json ? 0 : await countUnsaid(store, found),
        within: short || io.json ? [] : await Promise.all(found.map((row) => canFocusRow(row, store, io.env))),
        shorten: io.tty && !io.json && short ? await shortIds(store, ids) : (id: string) => id,
      };
    });
    if (io.json) return io.data(rows.map(pendingJson));
    const nothing = unsaid === 0 ? NOTHING : NOTHING_SAID;
    if (short) await printShort(io, rows, shorten, nothing);
    else if (rows.length === 0) io.line(nothing);
    else await print(io, rows, within);
    if (unsaid > 0) io.note(unsaidWords(unsaid));
  });
};

/** Sessions that wait for somebody, and of which nobody is notified: no route takes it. */
async function countUnsaid(store: StoreReader, rows: readonly PendingRow[]): Promise<number> {
  const now = Date.now();
  const listed = new Set(rows.map(({ event, subject }) => event?.sessionId ?? subject?.sessionId));
  const recent = await store.sessions({ since: now - RECENT });
  const waiting = recent.filter(
    (record) => effectiveState(record, now).state === 'waiting' && !listed.has(record.sessionId),
  );
  const asked = await Promise.all(
    waiting.map(({ sessionId, since }) => store.events({ session: sessionId, since, kinds: ['agent.waiting'] })),
  );
  return asked.filter((events) => events.some(({ verdicts }) => verdicts.some(isUnrouted))).length;
}

const isUnrouted = ({ stage, verdict }: Verdict): boolean => stage === 'route' && verdict === 'stop';

const unsaidWords = (count: number): string =>
  `${count === 1 ? 'one session waits' : `${count} sessions wait`} that no route takes: belfry sessions`;

/** `within`: of each row whether there is a way to its terminal. */
async function print(io: Io, rows: readonly PendingRow[], within: readonly boolean[]): Promise<void> {
  const style = { width: io.tty ? io.columns : Infinity, now: Date.now(), paint: await painter(io) };
  for (const [at, row] of rows.entries()) {
    if (at > 0) io.line('');
    for (const line of describeRow(row, style, { canFocus: within[at] === true })) io.line(line);
  }
}

async function printShort(
  io: Io,
  all: readonly PendingRow[],
  shorten: (id: string) => string,
  nothing: string,
): Promise<void> {
  const now = Date.now();
  const rows = all.map((row): Cell[] => {
    const { id, number, notification, question, unanswerable, reach } = row;
    const since = notification === null ? undefined : happenedAt(notification, row.event);
    const tone = row.undelivered.size > 0 ? 'bad' : 'plain';
    return [
      number === null ? '-' : String(number),
      { text: since === undefined ? '' : io.tty ? ago(since, now) : clockTime(since), tone: 'dim' },
      { text: waitsFor(row), tone: question === null ? 'plain' : 'notice' },
      titleOf(row),
      question === null ? (unanswerable === null ? '' : 'only at its terminal') : answersTo(question).join(', '),
      { text: channelsOf(row), tone },
      { text: sentWord(reach), tone },
      { text: shorten(id), tone: 'dim' },
    ];
  });
  await printRows(io, COLUMNS, rows, nothing);
}

const channelsOf = ({ notified, inDigest, undelivered }: PendingRow): string =>
  [
    ...notified.map((name) => (inDigest.has(name) ? `${name} (in a digest)` : name)),
    ...[...undelivered].map(([name, how]) => `${name} (${how})`),
  ].join(', ') || 'nobody yet';

function waitsFor({ notification, question }: PendingRow): string {
  if (question !== null) return `${question.kind} until ${shortTime(question.deadline, Date.now())}`;
  if (notification === null) return '';
  const { kind } = notification;
  const what = kind.slice(kind.indexOf('.') + 1); // "waiting", "finished"
  const why = failureWords(notification) ?? notification.detail;
  return why === null ? what : `${what}: ${why}`;
}

/** Field names are stable. */
function pendingJson(row: PendingRow): unknown {
  const { id, number, notification, event, question, subject, unanswerable } = row;
  return {
    id: notification?.id ?? id,
    number,
    kind: notification?.kind ?? event?.kind ?? (question?.kind === 'text' ? 'agent.finished' : 'agent.waiting'),
    detail: (notification ?? event)?.detail ?? null,
    urgency: (notification ?? event)?.urgency ?? null,
    title: titleOf(row),
    state: notification?.state ?? null,
    since: iso(notification?.createdAt ?? null),
    event_id: notification?.eventIds[0] ?? null,
    events: notification?.eventIds ?? [],
    agent: event?.agent ?? subject?.agent ?? null,
    session_id: event?.sessionId ?? subject?.sessionId ?? null,
    project: event?.project ?? null,
    cwd: event?.cwd ?? subject?.cwd ?? null,
    notified: row.notified,
    in_digest: [...row.inDigest],
    undelivered: [...row.undelivered.keys()],
    unanswerable,
    continues_at: iso(row.continuesAt),
    question: question === null ? null : questionJson(row, question),
  };
}

function questionJson({ subject, seen }: PendingRow, question: NonNullable<PendingRow['question']>): unknown {
  return {
    id: question.id,
    kind: question.kind,
    subject: question.subject,
    text: subject?.text ?? null,
    choices: (subject?.choices ?? []).map(choiceJson),
    answers: answersTo(question),
    seen,
    deadline: iso(question.deadline),
  };
}

function choiceJson({ question, options, descriptions, multiple }: Choice): unknown {
  return {
    question,
    multiple,
    options: options.map((label, at) => ({ label, description: descriptions[at] ?? null })),
  };
}

/** Most choices that are listed. */
const MAX_CHOICES = 20;

/** Words for `belfry answer`; empty for a question that takes any text. */
function answersTo({ kind, subject }: Pick<Question, 'kind' | 'subject'>): readonly string[] {
  if (kind !== 'choice') return answersOf({ kind, subject }).filter((type) => type !== 'reply');
  const shown = subjectSchema.safeParse(subject);
  const [only, ...others] = shown.success ? shown.data.choices : [];
  return only === undefined || others.length > 0 ? [] : only.options.slice(0, MAX_CHOICES);
}
