// What is read once for a key and then kept by the rows that the stream brings.
import { useEffect, useState } from 'preact/hooks';
import type { StreamRows } from '../../http/api/contract.ts';
import { type Live, problemText } from '../api/live.ts';
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
  useEffect(() => {
    const stop = new AbortController();
    let latest = of.first;
    const set = (value: T): void => {
      latest = value;
      of.keep?.(value);
      setShown(value);
    };
    const read = async (): Promise<void> => {
      try {
        set(await of.read(stop.signal));
        setProblem(null);
      } catch (error) {
        if (!stop.signal.aborted) setProblem(problemText(error));
      }
    };
    const unwatch = watchRowsUntil((rows) => {
      if (rows === 'everything') void read();
      else if (latest !== undefined) set(of.withRows(latest, rows));
    });
    void read();
    return () => {
      unwatch();
      stop.abort();
    };
  }, [key, again]);
  return { value: shown, problem, refresh: () => setAgain((count) => count + 1) };
}
