// Sessions: every live one, those that wait first.
import { useState } from 'preact/hooks';
import { place, setQuery } from '../lib/place.ts';
import { counted, stateWords } from '../lib/terms.ts';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { Shown } from '../parts/reading/read-state.tsx';
import { usePortions } from '../parts/kept.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { type Session, SessionCard } from '../parts/sessions/session-card.tsx';
import { useSessions } from '../store/sessions.ts';

/** Sessions that are drawn at once; more on request. */
const STEP = 120;

/** The board's groups, in their order. */
const GROUPS: readonly (readonly [title: string, states: readonly Session['state'][]])[] = [
  ['Waiting', ['waiting']],
  ['Working', ['started', 'working', 'background']],
  ['Failed', ['failed']],
  ['Finished', ['finished', 'unknown']],
  ['Ended', ['ended']],
];

export function SessionsPage() {
  const [limit, setLimit] = useState(STEP);
  const q = place.value.query.get('q') ?? '';
  const all = place.value.query.get('all') === 'true';
  const live = useSessions({ q, all, limit });
  return (
    <>
      <div class="head">
        <h1>Sessions</h1>
        <SearchField label="Search sessions" />
        <label class="check">
          <input type="checkbox" checked={all} onChange={() => setQuery({ all: all ? '' : 'true' })} />
          Older than 12 hours too
        </label>
      </div>
      <Shown of={live}>
        {({ sessions, total }) => (
          <>
            <Groups sessions={sessions} filtered={q !== ''} />
            {sessions.length < total ? (
              <p class="more">
                {counted(total - sessions.length, 'more session')}{' '}
                <button type="button" onClick={() => setLimit(limit + STEP)}>
                  Show more
                </button>
              </p>
            ) : null}
          </>
        )}
      </Shown>
    </>
  );
}

function Groups({ sessions, filtered }: { readonly sessions: readonly Session[]; readonly filtered: boolean }) {
  const drawn = new Set(sessions.slice(0, usePortions(sessions.length)));
  if (sessions.length === 0 && filtered) return <EmptyState title="No session matches" />;
  if (sessions.length === 0)
    return (
      <EmptyState title="No sessions yet">
        Start a coding agent in a terminal: it appears here at its first hook. <code>belfry doctor</code> says whether
        the hooks are installed.
      </EmptyState>
    );
  return GROUPS.map(([title, states]) => {
    const members = sessions.filter(({ state }) => states.includes(state));
    return members.length === 0 ? null : (
      <section key={title} class="group">
        <h2>
          {title} <span class="count">{members.length}</span>
        </h2>
        <ul class="cards">
          {members.map((session) =>
            drawn.has(session) ? (
              <SessionCard key={session.key} session={session} isNamed={stateWords(session.state) === title} />
            ) : null,
          )}
        </ul>
      </section>
    );
  });
}
