// What a part shows of the interface, kept up to date: read at once, and again when what it is made of has changed.
import { useEffect, useState } from 'preact/hooks';
import { InterfaceError } from '../../http/api/client.ts';
import type { StreamRows } from '../../http/api/contract.ts';
import { type ChangeType, watchChanges, watchRowsUntil } from './stream.ts';

export interface Live<T> {
  /** The latest; undefined until the first came. */
  readonly value: T | undefined;
  /** Why it could not be read; null: it could. */
  readonly problem: string | null;
  readonly refresh: () => void;
}

/** Ms that changes are gathered, so that a burst is one request: of what somebody waits for, and of what changes with every event. */
const GATHER = 50;
const GATHER_MANY = 1_000;

/** Which changes matter: types of rows, or what says so of the rows themselves. */
type Matters = readonly ChangeType[] | ((rows: NonNullable<StreamRows>) => boolean);

/**
 * `key` says what is read: another one starts over. One request at a time; what changes meanwhile is read after it.
 * `apart`: ms between the end of a read and the next, of what much of what happens changes.
 */
export function useLive<T>(
  key: string,
  matters: Matters,
  read: (signal: AbortSignal) => Promise<T>,
  apart = 0,
): Live<T> {
  const [shown, setShown] = useState<{ key: string; value: T | undefined; problem: string | null }>();
  const [again, setAgain] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const reading = keepReading(() => read(stop.signal), {
      value: (value) => !stop.signal.aborted && setShown({ key, value, problem: null }),
      problem: (problem) => !stop.signal.aborted && setShown((before) => ({ key, value: before?.value, problem })),
      apart,
    });
    const unwatch =
      typeof matters === 'function'
        ? watchRowsUntil((rows) => {
            if (rows === 'everything' || matters(rows)) reading.ask(GATHER);
          })
        : watchChanges((changed) => {
            if (changed.has('everything')) reading.ask(GATHER);
            else if (matters.some((type) => changed.has(type))) reading.ask(GATHER_MANY);
          });
    return () => {
      unwatch();
      reading.stop();
      stop.abort();
    };
  }, [key, again]);
  const current = shown?.key === key ? shown : { value: shown?.value, problem: null };
  return { value: current.value, problem: current.problem, refresh: () => setAgain((count) => count + 1) };
}

/** What a read comes to. */
export interface Outcome<T> {
  readonly value: (value: T) => void;
  readonly problem: (problem: string) => void;
  /** Ms between two reads, at least. */
  readonly apart: number;
}

/** Reads now, and again when it is asked to, `gather` ms later; one at a time. */
export function keepReading<T>(
  read: () => Promise<T>,
  outcome: Outcome<T>,
): { readonly ask: (gather: number) => void; readonly stop: () => void } {
  let state: 'idle' | 'gathering' | 'reading' | 'reading, asked again' | 'stopped' = 'idle';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = -Infinity;
  const begin = async (): Promise<void> => {
    state = 'reading';
    try {
      outcome.value(await read());
    } catch (error) {
      outcome.problem(problemText(error));
    }
    ended = performance.now();
    const after = state as string; // changed while it was read
    if (after === 'stopped') return;
    state = 'idle';
    if (after === 'reading, asked again') gather(GATHER_MANY);
  };
  const gather = (ms: number): void => {
    state = 'gathering';
    timer = setTimeout(() => void begin(), Math.max(ms, ended + outcome.apart - performance.now()));
  };
  void begin();
  return {
    ask: (ms) => {
      if (state === 'idle') gather(ms);
      else if (state === 'reading') state = 'reading, asked again';
    },
    stop: () => {
      state = 'stopped';
      clearTimeout(timer);
    },
  };
}

/** What went wrong, for a person. */
export function problemText(error: unknown): string {
  if (error instanceof InterfaceError)
    return error.problem.status === 0 ? 'Belfry does not answer' : error.problem.detail;
  return String(error);
}
