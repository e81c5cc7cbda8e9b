// One entry in the list: where, since when, and the first of what is asked or was said.
import { isCodeOf, isRisky, placesOf, summaryOf, titleOf } from '../../lib/cards/entry-words.ts';
import { isNarrow } from '../../lib/narrow.ts';
import { goTo } from '../../lib/place.ts';
import { type Entry, isOpen } from '../../store/entries.ts';
import { select } from '../../store/inbox.ts';
import { endingOf } from '../../store/waiting.ts';
import { Age } from '../age.tsx';
import { Boundary } from '../boundary.tsx';
import { kept } from '../kept.tsx';

interface InboxRowProps {
  readonly entry: Entry;
  readonly isSelected: boolean;
  /** It is where Tab comes into the list. */
  readonly isEntrance: boolean;
}

export const InboxRow = kept((props: InboxRowProps) => (
  <Boundary what="This row">
    <Row {...props} />
  </Boundary>
));

function Row({ entry, isSelected, isEntrance }: InboxRowProps) {
  const { key, group, lines } = entry;
  const item = (lines.find(({ settledAt }) => settledAt === null) ?? lines[0])?.item;
  if (item === undefined) return null;
  const isOver = !isOpen(entry);
  const href = `/?item=${encodeURIComponent(key)}`;
  const look = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (isNarrow.value) goTo(href);
    else select(key, false);
  };
  const summary = isOver ? (endingOf(item) ?? 'Over') : summaryOf(item);
  const isCode = !isOver && isCodeOf(item);
  return (
    <li>
      <a
        class={`inbox-row ${isOver ? 'settled' : group}${summary === '' ? ' alone' : ''}`}
        href={href}
        data-row={key}
        data-item
        tabIndex={isEntrance ? 0 : -1}
        aria-current={isSelected ? 'true' : undefined}
        onClick={look}
      >
        <span class="row-line">
          <strong>{placesOf(entry)}</strong>
          {lines.length > 1 ? <span class="badge attention">{lines.length} alike</span> : null}
          {isOver || !isRisky(item) ? null : <span class="badge bad">Look twice</span>}
          {item.notification?.urgency === 'urgent' && !isOver ? <span class="badge bad">Urgent</span> : null}
          <span class="row-title">{titleOf(item)}</span>
          {item.notification === null ? null : <Age since={item.notification.happened_at} />}
        </span>
        {summary === '' ? null : <span class={isCode ? 'row-summary code' : 'row-summary'}>{summary}</span>}
      </a>
    </li>
  );
}
