// Which notification a joined session's request belongs to: its hook reported the same request a moment before, in other bytes.
import type { Clock } from '../../lib/clock.ts';
import { notificationIdOf, sessionKeyText } from '../../model/ids.ts';
import type { IncomingHook } from '../../model/incoming.ts';
import type { Answerable } from './wait.ts';

/** Reports that are remembered, and requests that wait for theirs; the oldest go first. */
const MOST = 300;
/** A report is waited for this long, ms. */
const PATIENCE = 750;
/** Lines of a question that are compared with a report. */
const MOST_LINES = 100;
/** What was reported longer ago was about something else, ms. */
const RECENT = 120_000;

type Asked = Pick<Answerable, 'session' | 'question'>;

/** Brings the two together. */
export interface ReportedRequests {
  /** For every input of a hook. */
  note(hook: IncomingHook): void;
  /** Null: it was not reported in time. One in other words counts only then, as its own may still come. */
  notificationOf(asked: Asked): Promise<string | null>;
  /** Calls `found` once, now or when its report comes; the returned function ends that. */
  whenReported(asked: Asked, found: (notificationId: string) => void): () => void;
}

interface Report {
  readonly session: string;
  readonly detail: string;
  /** Empty: it has no words to tell it by. */
  readonly summary: string;
  readonly notificationId: string;
  readonly at: number;
}

/** In memory: a request that is asked again after a restart has its notification already. */
export function createReportedRequests(clock: Clock): ReportedRequests {
  let reports: readonly Report[] = [];
  const waiting = new Set<() => void>();

  /** Of several that fit equally the latest. Each report is of one request. */
  function take({ session, question }: Asked, fits: readonly ((report: Report) => boolean)[]): string | null {
    const key = sessionKeyText(session);
    const detail = question.kind === 'choice' ? 'question' : 'permission';
    const own = reports.filter(
      (report) => report.session === key && report.detail === detail && report.at > clock.now() - RECENT,
    );
    for (const fit of fits) {
      const found = own.findLast(fit);
      if (found === undefined) continue;
      reports = reports.filter((report) => report !== found);
      return found.notificationId;
    }
    return null;
  }

  const whenReported: ReportedRequests['whenReported'] = (asked, found) => {
    const look = (): void => {
      const id = take(asked, surely(asked));
      if (id === null) return;
      waiting.delete(look);
      found(id);
    };
    waiting.add(look);
    const [oldest] = waiting;
    if (waiting.size > MOST && oldest !== undefined) waiting.delete(oldest);
    look();
    return () => void waiting.delete(look);
  };

  return {
    note: (hook) => {
      const report = reportOf(hook, clock.now());
      if (report === null) return;
      reports = [...reports, report].slice(-MOST);
      for (const look of [...waiting]) look();
    },
    whenReported,
    notificationOf: (asked) =>
      new Promise((resolve) => {
        let end = (): void => undefined;
        const cancel = clock.setTimer(PATIENCE, () => {
          end();
          resolve(take(asked, [() => true]));
        });
        end = whenReported(asked, (id) => {
          cancel();
          resolve(id);
        });
      }),
  };
}

/** Null: it asks nothing that a joined session puts. */
function reportOf({ host, user, agent, entryId, parsed }: IncomingHook, at: number): Report | null {
  const { sessionId, signal, detail, tool, isFollowUp } = parsed;
  if (signal !== 'waiting' || sessionId === null || isFollowUp) return null;
  if (detail !== 'permission' && detail !== 'question') return null;
  const session = sessionKeyText({ host, user, agent, sessionId });
  return { session, detail, summary: folded(tool?.summary ?? ''), notificationId: notificationIdOf(entryId), at };
}

/** The same words, then the lines that what is asked begins with, then none at all. */
function surely({ question }: Asked): readonly ((report: Report) => boolean)[] {
  const own = folded(question.tool?.summary ?? '');
  const lines = question.text.split('\n').slice(0, MOST_LINES);
  const beginnings = new Set(lines.map((_, i) => folded(lines.slice(0, i + 1).join(' '))));
  const text = folded(question.text);
  return [
    ({ summary }) => summary !== '' && summary === own,
    ({ summary }) =>
      summary.endsWith('…') ? text.startsWith(summary.slice(0, -1)) : beginnings.has(summary) && summary !== '',
    ({ summary }) => summary === '',
  ];
}

/** One client keeps the lines of a command, another puts them on one. */
const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();
