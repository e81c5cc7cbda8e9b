// Which notification a joined session's request belongs to: its hook reported the same request a moment before, in other bytes.
import type { Clock } from '../lib/clock.ts';
import { notificationIdOf, sessionKeyText } from '../model/ids.ts';
import type { IncomingHook } from '../model/incoming.ts';
import type { Answerable } from './wait.ts';

/** Reports that are remembered, and requests that wait for theirs; the oldest go first. */
const MOST = 300;
/** A report is waited for this long, ms. */
const PATIENCE = 750;
/** What was reported longer ago was about something else, ms. */
const RECENT = 120_000;

/** Brings the two together. */
export interface ReportedRequests {
  /** For every input of a hook. */
  note(hook: IncomingHook): void;
  /** Null: it was not reported in time. */
  notificationOf(asked: Pick<Answerable, 'session' | 'question'>): Promise<string | null>;
  /** Calls `found` once, now or when its report comes; the returned function ends that. */
  whenReported(asked: Pick<Answerable, 'session' | 'question'>, found: (notificationId: string) => void): () => void;
}

interface Report {
  readonly session: string;
  readonly detail: string;
  readonly summary: string | null;
  readonly notificationId: string;
  readonly at: number;
}

/** In memory: a request that is asked again after a restart has its notification already. */
export function createReportedRequests(clock: Clock): ReportedRequests {
  let reports: readonly Report[] = [];
  const waiting = new Set<() => void>();

  /** The one with the same words, else the latest; what is older than it is over. */
  function take({ session, question }: Pick<Answerable, 'session' | 'question'>): string | null {
    const key = sessionKeyText(session);
    const detail = question.kind === 'choice' ? 'question' : 'permission';
    const own = reports.filter(
      (report) => report.session === key && report.detail === detail && report.at > clock.now() - RECENT,
    );
    const found = own.findLast(({ summary }) => summary !== null && question.text.includes(summary)) ?? own.at(-1);
    if (found === undefined) return null;
    reports = reports.filter((report) => report !== found);
    return found.notificationId;
  }

  const whenReported: ReportedRequests['whenReported'] = (asked, found) => {
    const look = (): void => {
      const id = take(asked);
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
    note: ({ host, user, agent, entryId, parsed }) => {
      const { sessionId, signal, detail, tool, isFollowUp } = parsed;
      if (signal !== 'waiting' || sessionId === null || isFollowUp) return;
      if (detail !== 'permission' && detail !== 'question') return;
      const session = sessionKeyText({ host, user, agent, sessionId });
      const notificationId = notificationIdOf(entryId);
      const report = { session, detail, summary: tool?.summary ?? null, notificationId, at: clock.now() };
      reports = [...reports, report].slice(-MOST);
      for (const look of [...waiting]) look();
    },
    whenReported,
    notificationOf: (asked) =>
      new Promise((resolve) => {
        let end = (): void => undefined;
        const cancel = clock.setTimer(PATIENCE, () => {
          end();
          resolve(null);
        });
        end = whenReported(asked, (id) => {
          cancel();
          resolve(id);
        });
      }),
  };
}
