// A list of any length: only the rows in view are in the document.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Pages } from '../api/pages.ts';
import { Loading } from './reading/loading.tsx';
import { ReadProblem } from './reading/read-problem.tsx';

/** Pixels of a row, as the style sheet has them. */
const ROW = 60;
/** Rows beyond the view on each side. */
const SPARE = 10;

interface LongListProps<T> {
  readonly label: string;
  readonly of: Pages<T>;
  readonly empty: ComponentChildren;
  readonly row: (row: T) => ComponentChildren;
}

export function LongList<T extends { readonly id: string }>({ label, of, empty, row }: LongListProps<T>) {
  const { rows, state, problem, more, loadMore, refresh, fresh, showFresh } = of;
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  useEffect(() => {
    const look = (): void => setTop(Math.max(0, -(list.current?.getBoundingClientRect().top ?? 0)));
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look, { passive: true });
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, []);
  const from = Math.min(Math.max(0, Math.floor(top / ROW) - SPARE), rows.length);
  const to = Math.min(rows.length, from + Math.ceil(window.innerHeight / ROW) + 2 * SPARE);
  useEffect(() => {
    if (more && to >= rows.length - SPARE) loadMore();
  }, [to, rows.length, more]);
  // What is new moves nothing that is being read: it is shown at once only where nobody is in the list.
  useEffect(() => {
    const isRead = window.scrollY > ROW || list.current?.matches(':hover') === true;
    if (fresh !== null && fresh > 0 && !isRead) showFresh();
  }, [fresh]);
  if (state === 'loading' && problem === null) return <Loading tall />;
  return (
    <>
      <ReadProblem problem={problem} retry={refresh} />
      {rows.length === 0 && problem === null ? empty : null}
      {fresh === 0 ? null : (
        <div class="fresh">
          <button
            type="button"
            onClick={() => {
              showFresh();
              window.scrollTo(0, 0);
            }}
          >
            {fresh === null ? 'Show what is new' : `${fresh} new`}
          </button>
        </div>
      )}
      <ol
        ref={list}
        class="rows"
        aria-label={label}
        style={{ paddingTop: `${from * ROW}px`, paddingBottom: `${(rows.length - to) * ROW}px` }}
      >
        {rows.slice(from, to).map((one, index) => (
          <li key={one.id} aria-posinset={from + index + 1} aria-setsize={more ? -1 : rows.length}>
            {row(one)}
          </li>
        ))}
      </ol>
    </>
  );
}
