// Which notifications have a question behind them: known from the moment it is put, so that a message sent then has its buttons.
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/contract.ts';

/** Notifications that are remembered; the oldest go first. */
const MAX_NOTIFICATIONS = 300;

/** The writes that others want to hear of. */
export type QuestionWrites = Pick<
  Store,
  'putQuestion' | 'tieQuestion' | 'changeQuestion' | 'settleAnswer' | 'closeQuestion'
>;

/** What the store hears of questions, seen by others. */
export interface AskedQuestions {
  /** The store with this in between. */
  readonly store: QuestionWrites;
  /** The question of a notification; waits up to `patience` ms for one that is about to be put. Null: none. */
  idOf(notificationId: string, patience: number): Promise<string | null>;
  /** The latest first. */
  recent(): readonly (readonly [notificationId: string, questionId: string])[];
}

/** Who hears of them. */
export interface QuestionListeners {
  put(notificationId: string, questionId: string): void;
  /** It asks something else now. */
  changed(notificationId: string): void;
  /** Nobody can answer it from elsewhere any more. */
  closed(notificationId: string): void;
}

/** What it needs. */
export interface AskedQuestionsDeps {
  readonly store: QuestionWrites & Pick<Store, 'question' | 'questions'>;
  readonly clock: Clock;
  readonly listeners: QuestionListeners;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Those that a daemon before this one left open are known, as they may go on; none was put by this one yet. */
export function createAskedQuestions({ store, clock, listeners, log }: AskedQuestionsDeps): AskedQuestions {
  const asked = new Map<string, string>();
  const loaded = noteOpen(asked, store).catch((error: unknown) =>
    log('open questions could not be read', { error: String(error) }),
  );
  const appearances = createAppearances(clock);

  function appear(notificationId: string, questionId: string): void {
    note(asked, notificationId, questionId);
    appearances.tell(notificationId);
    listeners.put(notificationId, questionId);
  }

  /** Once it is done, if it is, those who listen hear of it. */
  async function announce(
    id: string,
    done: Promise<boolean>,
    tell: (notificationId: string) => void,
  ): Promise<boolean> {
    const isDone = await done;
    const { notificationId } = (isDone ? await store.question(id) : null) ?? {};
    if (notificationId === undefined) return isDone;
    if (!asked.has(notificationId)) note(asked, notificationId, id); // of a daemon before this one
    tell(notificationId);
    return true;
  }

  return {
    store: {
      putQuestion: async (question, closed) => {
        const { notificationId, id } = question;
        // The same was asked in another way, which goes on or is over for a reason of its own.
        if (closed !== undefined && asked.has(notificationId)) return 'known';
        const result = await store.putQuestion(question, closed);
        appear(notificationId, id);
        return result;
      },
      tieQuestion: async (id, notificationId) => {
        const tied = await store.tieQuestion(id, notificationId);
        if (!tied) return false;
        for (const [before, of] of asked) if (of === id) asked.delete(before);
        appear(notificationId, id);
        return true;
      },
      changeQuestion: (id, to) => announce(id, store.changeQuestion(id, to), listeners.changed),
      closeQuestion: (id, why) => announce(id, store.closeQuestion(id, why), listeners.closed),
      settleAnswer: async (of) =>
        of.why === null ? store.settleAnswer(of) : announce(of.id, store.settleAnswer(of), listeners.closed),
    },
    idOf: async (notificationId, patience) => {
      await loaded;
      if (!asked.has(notificationId) && patience > 0) await appearances.wait(notificationId, patience);
      return asked.get(notificationId) ?? null;
    },
    recent: () => [...asked].reverse(),
  };
}

/** What was put meanwhile is the latest. */
async function noteOpen(asked: Map<string, string>, store: Pick<Store, 'questions'>): Promise<void> {
  for (const { notificationId, id } of await store.questions({ states: ['open'] }))
    if (!asked.has(notificationId)) note(asked, notificationId, id);
}

/** As the latest. */
function note(asked: Map<string, string>, notificationId: string, questionId: string): void {
  asked.delete(notificationId);
  asked.set(notificationId, questionId);
  const [oldest] = asked.keys();
  if (asked.size > MAX_NOTIFICATIONS && oldest !== undefined) asked.delete(oldest);
}

/** Those who wait for the question of a notification. */
function createAppearances(clock: Clock) {
  const waiting = new Map<string, Set<() => void>>();
  return {
    tell: (notificationId: string): void => {
      for (const look of waiting.get(notificationId) ?? []) look();
    },
    /** At most so long, ms. */
    wait: (notificationId: string, ms: number): Promise<void> =>
      new Promise((resolve) => {
        const end = (): void => {
          cancel();
          const ends = waiting.get(notificationId);
          ends?.delete(end);
          if (ends?.size === 0) waiting.delete(notificationId);
          resolve();
        };
        const cancel = clock.setTimer(ms, end);
        waiting.set(notificationId, (waiting.get(notificationId) ?? new Set()).add(end));
      }),
  };
}
