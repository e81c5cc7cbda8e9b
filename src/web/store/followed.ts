// What is read once for a key and then kept by the rows that the stream brings.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StreamRows } from '../../http/api/contract.ts';
import { keepReading, type Live } from '../api/live.ts';
import { watchRowsUntil } from '../api/stream.ts';

type Rows = NonNullable<StreamRows>;

/** How something is read and kept. */
export interface Followed<T> {
  readonly read: (signal: AbortSignal) => Promise<T>;
  /** With these rows; the same object where nothing of it changed. */
  readonly withRows: (before: T, rows: Rows) => T;
  /** What was read last, so that whoever comes back sees it at once. */
  readonly first?: T | undefined;
  /** Called with each state. */
  readonly keep?: (value: T) => void;
}

/** Read again for another key, once rows were missed, and when somebody asks. */
export function useFollowed<T extends object>(key: string, of: Followed<T>): Live<T> {
  const [shown, setShown] = useState<T | undefined>(of.first);
  const [problem, setProblem] = useState<string | null>(null);
  const [again, setAgain] = useState(0);
  const last = useRef<{ readonly key: string; readonly value: T } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let latest = last.current?.key === key ? last.current.value : of.first;
    /** What came since the read under way began, whose answer may be older; null: none is. */
    let meanwhile: Rows[] | null = null;
    const set = (value: T): void => {
      latest = value;
      last.current = { key, value };
      of.keep?.(value);
      setShown(value);
    };
    const read = (): Promise<T> => {
      meanwhile = [];
      return of.read(stop.signal);
    };
    const reading = keepReading(read, {
      value: (value) => {
        if (stop.signal.aborted) return;
        set((meanwhile ?? []).reduce(of.withRows, value));
        meanwhile = null;
        setProblem(null);
      },
      problem: (what) => {
        meanwhile = null;
        if (!stop.signal.aborted) setProblem(what);
      },
      apart: 0,
    });
    const unwatch = watchRowsUntil((rows) => {
      if (rows === 'everything') return reading.ask(0);
      meanwhile?.push(rows);
      if (latest !== undefined) set(of.withRows(latest, rows));
    });
    return () => {
      unwatch();
      reading.stop();
      stop.abort();
    };
  }, [key, again]);
  return { value: shown, problem, refresh: () => setAgain((count) => count + 1) };
}
