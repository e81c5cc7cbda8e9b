// A long list, page by page: rows keep their places, what is new is held until it is asked for, and who comes back finds the list as it was.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StreamRows } from '../../http/api/contract.ts';
import { problemText } from './live.ts';
import { watchRows } from './stream.ts';

/** One page as the interface has it. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  /** Of the next page; null: this is the last. */
  readonly cursor: string | null;
}

export interface Pages<T> {
  readonly rows: readonly T[];
  readonly state: 'loading' | 'ready';
  readonly problem: string | null;
  /** Whether there is more than `rows`. */
  readonly more: boolean;
  readonly loadMore: () => void;
  readonly refresh: () => void;
  /** How many rows are new and not shown yet; null: some are, nobody knows how many. */
  readonly fresh: number | null;
  readonly showFresh: () => void;
}

type Rows = NonNullable<StreamRows>;

/** What a list is of. */
export interface ListSource<T> {
  readonly read: (cursor: string | null, signal?: AbortSignal) => Promise<ListPage<T>>;
  /** Its rows among those that the stream brings. */
  readonly pick: (rows: Rows) => readonly T[];
  /** Whether a new row is in this list; null: only the interface can say. */
  readonly matches: (row: T) => boolean | null;
}

interface List<T> extends ListPage<T> {
  /** The latest first. */
  readonly fresh: readonly T[];
  /** Something that only the interface can judge is new. */
  readonly isStale: boolean;
}

/** Lists that are kept for whoever comes back; the oldest go first. */
const MOST_KEPT = 8;
const kept = new Map<string, List<{ readonly id: string }>>();

function keep(key: string, list: List<{ readonly id: string }>): void {
  kept.delete(key);
  for (const oldest of kept.keys()) if (kept.size >= MOST_KEPT) kept.delete(oldest);
  kept.set(key, list);
}

const followers = new Set<(rows: Rows | 'everything') => void>();

watchRows((rows) => {
  for (const follower of followers) follower(rows);
});

/** `key` says which list; another one starts over. */
export function usePages<T extends { readonly id: string }>(key: string, source: ListSource<T>): Pages<T> {
  const [lists, setLists] = useState<ReadonlyMap<string, List<T>>>(() => known<T>(key));
  const [problem, setProblem] = useState<string | null>(null);
  const [again, setAgain] = useState(0);
  const loading = useRef(false);
  const list = lists.get(key);
  const change = (to: (before: List<T> | undefined) => List<T>): void =>
    setLists((before) => {
      const next = to(before.get(key));
      keep(key, next);
      return new Map([[key, next]]);
    });
  useEffect(() => {
    const stop = new AbortController();
    const readFirst = async (): Promise<void> => {
      try {
        const page = await source.read(null, stop.signal);
        change((before) => withFirst(before, page));
        setProblem(null);
      } catch (error) {
        if (!stop.signal.aborted) setProblem(problemText(error));
      }
    };
    const follow = (rows: Rows | 'everything'): void => {
      if (rows === 'everything') void readFirst();
      else if (source.pick(rows).length > 0)
        change((before) => (before === undefined ? EMPTY : withChanges(before, source.pick(rows), source.matches)));
    };
    setLists(known<T>(key));
    void readFirst();
    followers.add(follow);
    return () => {
      followers.delete(follow);
      stop.abort();
    };
  }, [key, again]);
  const loadMore = async (): Promise<void> => {
    const cursor = list?.cursor ?? null;
    if (loading.current || cursor === null) return;
    loading.current = true;
    try {
      const next = await source.read(cursor);
      change((now) =>
        now === undefined || now.cursor !== cursor
          ? (now ?? EMPTY)
          : { ...now, rows: [...now.rows, ...next.rows], cursor: next.cursor },
      );
      setProblem(null);
    } catch (error) {
      setProblem(problemText(error));
    }
    loading.current = false;
  };
  const readFromStart = (): void => {
    kept.delete(key);
    setAgain((count) => count + 1);
  };
  return {
    rows: list?.rows ?? [],
    state: list === undefined ? 'loading' : 'ready',
    problem,
    more: (list?.cursor ?? null) !== null,
    loadMore: () => void loadMore(),
    refresh: readFromStart,
    fresh: list?.isStale === true ? null : (list?.fresh.length ?? 0),
    showFresh: () =>
      list?.isStale === true
        ? readFromStart()
        : change((now) => (now === undefined ? EMPTY : { ...now, rows: [...now.fresh, ...now.rows], fresh: [] })),
  };
}

const EMPTY: List<never> = { rows: [], cursor: null, fresh: [], isStale: false };

function known<T extends { readonly id: string }>(key: string): ReadonlyMap<string, List<T>> {
  const list = kept.get(key);
  return new Map(list === undefined ? [] : [[key, list as List<T>]]); // kept under this key by this list alone
}

/** The first page as it is now: rows that are shown are replaced where they stand; where the two no longer touch, the list begins again. */
export function withFirst<T extends { readonly id: string }>(before: List<T> | undefined, page: ListPage<T>): List<T> {
  const ids = new Set(before?.rows.map(({ id }) => id));
  if (before === undefined || !page.rows.some(({ id }) => ids.has(id))) return { ...page, fresh: [], isStale: false };
  const changed = new Map(page.rows.map((row) => [row.id, row]));
  return {
    ...before,
    rows: before.rows.map((row) => changed.get(row.id) ?? row),
    fresh: page.rows.filter(({ id }) => !ids.has(id)),
    isStale: false,
  };
}

/** Most new rows that are held; more are read when they are asked for. */
const MOST_FRESH = 200;

function withChanges<T extends { readonly id: string }>(
  before: List<T>,
  changes: readonly T[],
  matches: ListSource<T>['matches'],
): List<T> {
  const changed = new Map(changes.map((row) => [row.id, row]));
  const replace = (row: T): T => {
    const next = changed.get(row.id);
    changed.delete(row.id);
    return next ?? row;
  };
  const rows = before.rows.map(replace);
  const fresh = before.fresh.map(replace);
  const added = [...changed.values()].filter((row) => matches(row) === true).reverse();
  const isStale = before.isStale || [...changed.values()].some((row) => matches(row) === null);
  return { ...before, rows, fresh: [...added, ...fresh], isStale: isStale || added.length + fresh.length > MOST_FRESH };
}
