// Which notification a waiting hook's question belongs to: the one opened by the same input, which the notifying hook reported.
import type { Clock } from '../../lib/clock.ts';
import type { AskedQuestion } from '../../model/answering.ts';
import { notificationIdOf, type SessionKey, sessionKeyText } from '../../model/ids.ts';
import type { IncomingHook } from '../../model/incoming.ts';
import type { Asked } from './wait.ts';

/** Inputs that are remembered; the oldest go first. */
const MOST = 1_000;
/** The notifying hook of the same moment is waited for this long, ms. */
const PATIENCE = 750;
/** The two hooks of one event start within this, ms; what is older was an earlier request of the same words. */
const TOGETHER = 1_500;

/** Reports of one key that are remembered; the oldest go first. */
const MOST_REPORTS = 20;

/** Finds notifications by the input that opened them. */
export interface NotifiedInputs {
  /** For every input of a notifying hook. */
  note(hook: IncomingHook): void;
  /** Null: no such input came in time. `key`: of `inputKey`. */
  notificationOf(key: string, startedAt: number): Promise<string | null>;
  /** Calls `found` once, now or when such an input comes; the returned function ends that. */
  whenNoted(key: string, startedAt: number, found: (notificationId: string) => void): () => void;
}

/** What is asked and what was notified are the same input; or, where they are put together in two places, of one session, kind and moment. */
export function inputKey({ digest, session, question, answering }: Asked): string {
  return answering.inside?.ownInput === true ? momentKey(session, question.kind) : digest;
}

const momentKey = (session: SessionKey, kind: AskedQuestion['kind']): string => `${kind} of ${sessionKeyText(session)}`;

/** As `inputKey` says it; none for what asks nothing. */
function keysOf(hook: IncomingHook): readonly string[] {
  const { signal, detail, sessionId } = hook.parsed;
  // Hooks wait for answers on this host only: none of them is the other half of what came by HTTP.
  if (hook.source === 'http' || (signal !== 'waiting' && signal !== 'finished')) return [];
  if (sessionId === null) return [hook.digest];
  const kind = signal === 'finished' ? 'text' : detail === 'question' ? 'choice' : 'permission';
  return [hook.digest, momentKey({ host: hook.host, user: hook.user, agent: hook.agent, sessionId }, kind)];
}

interface Report {
  /** Of its event. */
  readonly id: string;
  readonly startedAt: number;
  readonly digest: string;
  /** A question has it. */
  taken: boolean;
}

/** The one of the nearest moment. What was put together in two places is known by nothing else, so it is of one request only. */
function take(reports: readonly Report[], key: string, startedAt: number): string | null {
  const own = reports.filter((report) => report.startedAt >= startedAt - TOGETHER && !report.taken);
  const apart = (report: Report): number => Math.abs(report.startedAt - startedAt);
  const [found] = own.sort((a, b) => apart(a) - apart(b));
  if (found === undefined) return null;
  if (found.digest !== key) found.taken = true;
  return notificationIdOf(found.id);
}

/** Remembers inputs for a while, in memory: a question does not outlive this process. */
export function createNotifiedInputs(clock: Clock): NotifiedInputs {
  const seen = new Map<string, readonly Report[]>();
  const waiting = new Map<string, Set<() => void>>();

  const find = (key: string, startedAt: number): string | null => take(seen.get(key) ?? [], key, startedAt);

  function whenNoted(key: string, startedAt: number, found: (id: string) => void): () => void {
    const known = find(key, startedAt);
    if (known !== null) {
      found(known);
      return () => undefined;
    }
    const look = (): void => {
      const id = find(key, startedAt);
      if (id === null) return;
      end();
      found(id);
    };
    const end = (): void => {
      const looks = waiting.get(key);
      looks?.delete(look);
      if (looks?.size === 0) waiting.delete(key);
    };
    waiting.set(key, (waiting.get(key) ?? new Set()).add(look));
    return end;
  }

  return {
    note: (hook) => {
      const { entryId: id, startedAt, digest } = hook;
      for (const key of keysOf(hook)) {
        const before = seen.get(key) ?? [];
        // Of several reports of one occurrence the first opened it.
        if (before.some((report) => report.digest === digest && report.startedAt >= startedAt - TOGETHER)) continue;
        seen.delete(key);
        // An input that is known by its bytes belongs to its latest report.
        const kept = digest === key ? [] : before.slice(1 - MOST_REPORTS);
        seen.set(key, [...kept, { id, startedAt, digest, taken: false }]);
        const [oldest] = seen.keys();
        if (seen.size > MOST && oldest !== undefined) seen.delete(oldest);
        for (const look of waiting.get(key) ?? []) look();
      }
    },
    notificationOf: (key, startedAt) =>
      new Promise((resolve) => {
        let settle = (id: string | null): void => resolve(id);
        const end = whenNoted(key, startedAt, (id) => settle(id));
        const cancel = clock.setTimer(PATIENCE, () => settle(null));
        settle = (id) => {
          cancel();
          end();
          resolve(id);
        };
      }),
    whenNoted,
  };
}
