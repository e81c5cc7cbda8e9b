// The cards of a list as what waits changes, with how those that are over ended.
import { useEffect, useRef, useState } from 'preact/hooks';
import { readEndings, type WaitingItem } from '../../api/what-waits.ts';
import { type KeptCard, keepPlaces, STAYS } from './kept-cards.ts';

const NONE: ReadonlyMap<string, string> = new Map();

export function useKeptCards(items: readonly WaitingItem[]): {
  readonly cards: readonly KeptCard[];
  /** In words, by the key of a card. */
  readonly endings: ReadonlyMap<string, string>;
} {
  const kept = useRef<readonly KeptCard[]>([]);
  const [endings, setEndings] = useState(NONE);
  const [, redraw] = useState(0);
  kept.current = keepPlaces(kept.current, items, Date.now());
  const settled = kept.current.filter(({ settledAt }) => settledAt !== null);
  const which = settled.map(({ key }) => key).join(' ');
  useEffect(() => {
    if (which === '') return setEndings(NONE);
    let isCurrent = true;
    // Without it the card says that it is over, and no more.
    readEndings(settled.map(({ item }) => item)).then(
      (found) => isCurrent && setEndings(found),
      () => undefined,
    );
    const first = Math.min(...settled.map(({ settledAt }) => settledAt ?? 0));
    const timer = setTimeout(() => redraw((count) => count + 1), first + STAYS - Date.now());
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [which]);
  return { cards: kept.current, endings };
}
