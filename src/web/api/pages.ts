// A long list, page by page: the first page follows the changes, further ones come as somebody scrolls.
import { useEffect, useRef, useState } from 'preact/hooks';
import { problemText, useLive } from './live.ts';
import type { ChangeType } from './stream.ts';

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
}

type ReadPage<T> = (cursor: string | null, signal?: AbortSignal) => Promise<ListPage<T>>;

/** `key` says which list; another one starts over. */
export function usePages<T extends { readonly id: string }>(
  key: string,
  types: readonly ChangeType[],
  read: ReadPage<T>,
): Pages<T> {
  const first = useLive(key, types, async (signal) => ({ key, ...(await read(null, signal)) }));
  const [list, setList] = useState<{ key: string } & ListPage<T>>({ key: '', rows: [], cursor: null });
  const [problem, setProblem] = useState<string | null>(null);
  const loading = useRef(false);
  const page = first.value;
  useEffect(() => {
    if (page !== undefined)
      setList((before) => (before.key === page.key ? { key: page.key, ...joined(page, before) } : page));
  }, [page]);
  const { cursor } = list;
  const loadMore = async (): Promise<void> => {
    if (loading.current || cursor === null || list.key !== key) return;
    loading.current = true;
    try {
      const next = await read(cursor);
      setList((now) =>
        now.key === key && now.cursor === cursor
          ? { key, rows: [...now.rows, ...next.rows], cursor: next.cursor }
          : now,
      );
      setProblem(null);
    } catch (error) {
      setProblem(problemText(error));
    }
    loading.current = false;
  };
  return {
    rows: list.rows,
    state: list.key === '' ? 'loading' : 'ready',
    problem: first.problem ?? problem,
    more: cursor !== null,
    loadMore: () => void loadMore(),
    refresh: first.refresh,
  };
}

/** The first page as it is now, before what followed it; where the two no longer touch, the rest is read again. */
export function joined<T extends { readonly id: string }>(page: ListPage<T>, before: ListPage<T>): ListPage<T> {
  const last = page.rows.at(-1);
  const at = last === undefined ? -1 : before.rows.findIndex(({ id }) => id === last.id);
  if (at < 0 || at === before.rows.length - 1) return page;
  return { rows: [...page.rows, ...before.rows.slice(at + 1)], cursor: before.cursor };
}
