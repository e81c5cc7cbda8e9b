// What waits, in three groups: what holds an agent up, what went wrong, what is done. Above them one field to search and to command.
import { signal } from '@preact/signals';
import { call } from '../../api/access.ts';
import { isFound } from '../../lib/cards/entry-words.ts';
import { KIND_WORDS } from '../../lib/kinds.ts';
import { counted } from '../../lib/terms.ts';
import { noteFinal } from '../../lib/undo.ts';
import { type Entry, isOpen } from '../../store/entries.ts';
import { entries, GROUPS, pointAtList, selected, showHeld } from '../../store/inbox.ts';
import { beyond, noteSettled } from '../../store/waiting.ts';
import type { Group } from '../../store/waiting-item.ts';
import { ActButton } from '../act-button.tsx';
import { usePortions } from '../kept.tsx';
import { CommandPalette } from './command-palette.tsx';
import { InboxRow } from './inbox-row.tsx';

const TITLES: Readonly<Record<Group, string>> = {
  blocking: 'Blocks an agent',
  failed: 'Went wrong',
  done: 'Done since you looked',
};

/** What is searched for; kept while somebody is elsewhere. */
const search = signal('');

export function InboxList() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? entries.value : entries.value.filter((entry) => isFound(entry, words));
  const drawn = usePortions(found.length);
  const groups = GROUPS.map((group) => found.filter((entry) => entry.group === group));
  const entrance = (selected.value ?? found.find(({ isHeld }) => !isHeld))?.key;
  const point = (isAt: boolean) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') pointAtList(isAt);
  };
  return (
    <section class="inbox-list" aria-label="What waits" onPointerEnter={point(true)} onPointerLeave={point(false)}>
      <div class="inbox-find">
        <input
          type="search"
          aria-label="Search or command"
          placeholder="Search or command"
          maxLength={200}
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
          }}
          onKeyDown={openFirst}
        />
      </div>
      {GROUPS.map((group, at) => (
        <GroupShown
          key={group}
          group={group}
          entries={groups[at] ?? []}
          most={Math.max(0, drawn - groups.slice(0, at).flat().length)}
          entrance={entrance}
        />
      ))}
      {beyond.value > 0 && words.length === 0 ? (
        <p class="more">
          {`${counted(beyond.value, 'more notification')}, older or of less weight, not shown: `}
          <code>belfry pending</code> lists them.
        </p>
      ) : null}
      {words.length === 0 ? null : (
        <CommandPalette
          text={search.value.trim()}
          done={() => {
            search.value = '';
          }}
        />
      )}
    </section>
  );
}

/** Enter in the field goes to the first thing that is found. */
function openFirst(event: KeyboardEvent): void {
  const list = event.currentTarget instanceof HTMLElement ? event.currentTarget.closest('.inbox-list') : null;
  const first = list?.querySelector<HTMLElement>('[data-item]');
  if (event.key !== 'Enter' || first === null || first === undefined) return;
  event.preventDefault();
  first.focus();
  first.click();
}

interface GroupShownProps {
  readonly group: Group;
  readonly entries: readonly Entry[];
  /** Rows that are drawn by now. */
  readonly most: number;
  readonly entrance: string | undefined;
}

function GroupShown({ group, entries: all, most, entrance }: GroupShownProps) {
  const shown = all.filter(({ isHeld }) => !isHeld);
  const held = all.length - shown.length;
  const open = shown.filter(isOpen);
  if (all.length === 0) return null;
  return (
    <section class={`inbox-group ${group}`} aria-labelledby={`group-${group}`}>
      <div class="inbox-heading">
        <h2 id={`group-${group}`}>
          {TITLES[group]} <span class="count">{countOpen(open)}</span>
        </h2>
        {held === 0 ? null : (
          <button type="button" class="held" onClick={showHeld}>
            {held} new
          </button>
        )}
        {group === 'done' && open.length > 0 ? <AcknowledgeAll entries={open} /> : null}
      </div>
      <ul>
        {shown.slice(0, most).map((entry) => (
          <InboxRow
            key={entry.key}
            entry={entry}
            isSelected={entry === selected.value}
            isEntrance={entry.key === entrance}
          />
        ))}
      </ul>
    </section>
  );
}

/** What waits, as the badge counts it: of sessions that ask for the same each one. */
const countOpen = (open: readonly Entry[]): number =>
  open.flatMap(({ lines }) => lines.filter(({ settledAt }) => settledAt === null)).length;

/** All that went well, as far as it is shown: what comes meanwhile stays. */
function AcknowledgeAll({ entries: shown }: { readonly entries: readonly Entry[] }) {
  const act = async (): Promise<string> => {
    const items = shown.flatMap(({ lines }) => lines.map(({ item }) => item));
    const until = items
      .map(({ notification }) => notification?.since ?? '')
      .sort()
      .at(-1);
    const kinds = Object.keys(KIND_WORDS) as (keyof typeof KIND_WORDS)[]; // the table has every kind and no other
    const { acknowledged } = await call('notifications.ackAll', { kinds, group: 'done', ...(until ? { until } : {}) });
    noteFinal('An acknowledgement cannot be undone');
    noteSettled(
      items.map(({ key }) => key),
      'Acknowledged by you',
    );
    return `Acknowledged: ${counted(acknowledged, 'notification')}`;
  };
  return <ActButton act={act}>Acknowledge all</ActButton>;
}
