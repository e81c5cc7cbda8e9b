// What notifying hooks have reported, and which of it a question is about: the two come by different ways, in either order.
import type { Clock } from '../../lib/clock.ts';
import type { SessionSignal } from '../../model/agent/agent.ts';
import { notificationIdOf, sessionKeyText } from '../../model/ids.ts';
import type { IncomingHook } from '../../model/event/incoming.ts';
import type { Asked, Match } from './asker.ts';

/** Reports that are remembered, and questions that wait for theirs; the oldest go first. */
const MAX_REPORTS = 1_000;
/** A report of the same moment is waited for this long, ms. */
const PATIENCE = 750;
/** The two hooks of one event start within this, ms; what is older was an earlier request of the same words. */
const TOGETHER = 1_500;
/** What was reported longer ago was about something else, ms. */
const RECENT = 120_000;
/** Lines of a question that are compared with a report. */
const MOST_LINES = 100;

/** Brings the two together. In memory: a question that is asked again after a restart has its notification already. */
export interface Reports {
  /** For every input of a hook. */
  note(hook: IncomingHook): void;
  /** The notification's id; null: it was not reported in time. For `words`, one in other words counts only then, as its own may still come. */
  find(asked: Asked, by: Match): Promise<string | null>;
  /** Calls `found` once, now or when its report comes; the returned function ends that. */
  whenFound(asked: Asked, by: Match, found: (notificationId: string) => void): () => void;
}

interface Report {
  readonly notificationId: string;
  /** The machine elsewhere that it came from; undefined: this one. */
  readonly remote: string | undefined;
  /** Null: it names none. */
  readonly session: string | null;
  readonly kind: Asked['question']['kind'];
  readonly digest: string;
  /** Unix ms, by its client's clock and by ours. */
  readonly startedAt: number;
  readonly at: number;
  /** Empty: it has no words to tell it by. Null: it is no request that a joined session puts. */
  readonly words: string | null;
  /** A question has it that knows it by its moment or its words. */
  taken: boolean;
}

/** Nothing was reported yet. */
export function createReports(clock: Clock): Reports {
  let reports: readonly Report[] = [];
  const waiting = new Map<() => void, Asked>();

  function take(asked: Asked, by: Match, isLast: boolean): string | null {
    const found = by === 'words' ? byWords(reports, asked, isLast, clock.now()) : byMoment(reports, asked, by);
    if (found === undefined) return null;
    found.taken ||= by !== 'bytes';
    return found.notificationId;
  }

  const whenFound: Reports['whenFound'] = (asked, by, found) => {
    const look = (): void => {
      const id = take(asked, by, false);
      if (id === null) return;
      waiting.delete(look);
      found(id);
    };
    waiting.set(look, asked);
    const [oldest] = waiting.keys();
    if (waiting.size > MAX_REPORTS && oldest !== undefined) waiting.delete(oldest);
    look();
    return () => void waiting.delete(look);
  };

  return {
    note: (hook) => {
      const report = reportOf(hook, clock.now());
      if (report === null) return;
      const { digest, startedAt, session, remote } = report;
      const isSame = (one: Report): boolean => one.digest === digest && one.remote === remote;
      // Of several reports of one occurrence the first opened it.
      if (reports.some((one) => isSame(one) && one.startedAt >= startedAt - TOGETHER)) return;
      reports = [...reports, report].slice(-MAX_REPORTS);
      for (const [look, asked] of [...waiting])
        if (asked.digest === digest || sessionKeyText(asked.session) === session) look();
    },
    whenFound,
    find: (asked, by) =>
      new Promise((resolve) => {
        let end = (): void => undefined;
        const cancel = clock.setTimer(PATIENCE, () => {
          end();
          resolve(take(asked, by, true));
        });
        end = whenFound(asked, by, (id) => {
          cancel();
          resolve(id);
        });
      }),
  };
}

/** What asks for something, and the ends of turns, after which the next instruction may be given. */
const REPORTED: ReadonlySet<SessionSignal> = new Set<SessionSignal>(['waiting', 'finished', 'failed']);

/** Null: it asks nothing. */
function reportOf(hook: IncomingHook, at: number): Report | null {
  const { host, user, agent, entryId, parsed, source, digest, startedAt, origin } = hook;
  const { sessionId, signal, detail, tool, isFollowUp } = parsed;
  // Nobody waits for us where another program reports by HTTP.
  if (source === 'http' || !REPORTED.has(signal)) return null;
  const isRequest = signal === 'waiting' && !isFollowUp && (detail === 'permission' || detail === 'question');
  return {
    digest,
    startedAt,
    at,
    taken: false,
    notificationId: notificationIdOf(entryId),
    remote: origin.remote,
    session: sessionId === null ? null : sessionKeyText({ host, user, agent, sessionId }),
    kind: signal !== 'waiting' ? 'text' : detail === 'question' ? 'choice' : 'permission',
    words: isRequest ? folded(tool?.summary ?? '') : null,
  };
}

/** The one of the nearest moment. */
function byMoment(reports: readonly Report[], asked: Asked, by: Match): Report | undefined {
  const { digest, startedAt, question } = asked;
  const session = sessionKeyText(asked.session);
  const isOwn = (report: Report): boolean =>
    report.remote === asked.remote &&
    (by === 'bytes'
      ? report.digest === digest
      : report.session === session && report.kind === question.kind && !report.taken);
  const apart = (report: Report): number => Math.abs(report.startedAt - startedAt);
  const own = reports.filter((report) => report.startedAt >= startedAt - TOGETHER && isOwn(report));
  return own.sort((a, b) => apart(a) - apart(b))[0];
}

/** Of several that fit equally the latest. `isLast`: in whatever words. */
function byWords(reports: readonly Report[], asked: Asked, isLast: boolean, now: number): Report | undefined {
  const session = sessionKeyText(asked.session);
  const isOwn = ({ words, kind, at, taken, session: of, remote }: Report): boolean =>
    of === session &&
    remote === asked.remote &&
    kind === asked.question.kind &&
    words !== null &&
    !taken &&
    at > now - RECENT;
  const own = reports.filter(isOwn);
  for (const fits of surely(asked)) {
    const found = own.findLast(({ words }) => fits(words ?? ''));
    if (found !== undefined) return found;
  }
  return isLast ? own.at(-1) : undefined;
}

/** The same words, then the lines that what is asked begins with, then none at all. */
function surely({ question }: Asked): readonly ((words: string) => boolean)[] {
  const own = folded(question.tool?.summary ?? '');
  const lines = question.text.split('\n').slice(0, MOST_LINES);
  const beginnings = new Set(lines.map((_, i) => folded(lines.slice(0, i + 1).join(' '))));
  const text = folded(question.text);
  return [
    (words) => words !== '' && words === own,
    (words) => (words.endsWith('…') ? text.startsWith(words.slice(0, -1)) : beginnings.has(words) && words !== ''),
    (words) => words === '',
  ];
}

/** One client keeps the lines of a command, another puts them on one. */
const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();
