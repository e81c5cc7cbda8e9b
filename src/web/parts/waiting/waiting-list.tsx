// What waits for a person, each in its place: first what holds an agent up.
import type { ComponentChildren } from 'preact';
import { holdsUp, type WaitingItem } from '../../api/what-waits.ts';
import { useKeptCards } from '../../lib/cards/use-kept-cards.ts';
import { WaitingCard } from './waiting-card.tsx';

interface WaitingListProps {
  readonly items: readonly WaitingItem[];
  /** Above the cards, where there are any. */
  readonly heading?: ComponentChildren;
  /** What is shown without any. */
  readonly empty?: ComponentChildren;
}

export function WaitingList({ items, heading, empty }: WaitingListProps) {
  const { cards, endings } = useKeptCards(items);
  if (cards.length === 0) return <>{empty}</>;
  const drawn = cards.map((card) => ({
    isFirst: holdsUp(card.item),
    element: <WaitingCard key={card.key} card={card} ending={endings.get(card.key) ?? 'Over'} />,
  }));
  return (
    <>
      {heading}
      <ul class="cards wide">{drawn.filter(({ isFirst }) => isFirst).map(({ element }) => element)}</ul>
      <ul class="cards">{drawn.filter(({ isFirst }) => !isFirst).map(({ element }) => element)}</ul>
    </>
  );
}
