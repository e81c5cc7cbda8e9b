// Now: what waits for somebody on top, then every live session, those that wait first.
import { useState } from 'preact/hooks';
import { call } from '../api/access.ts';
import { type Live, useLive } from '../api/live.ts';
import { FINISHED, isFinished, type Waiting } from '../api/what-waits.ts';
import { counted } from '../lib/terms.ts';
import { place, setQuery } from '../lib/place.ts';
import { ActButton } from '../parts/act-button.tsx';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { type Session, SessionCard } from '../parts/sessions/session-card.tsx';
import { Shown } from '../parts/reading/read-state.tsx';
import { WaitingList } from '../parts/waiting/waiting-list.tsx';

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

export function NowPage({ waiting }: { readonly waiting: Live<Waiting> }) {
  return (
    <>
      <h1>Now</h1>
      <section aria-labelledby="waits">
        <div class="head">
          <h2 id="waits">Waiting for you</h2>
          {(waiting.value?.items.filter(isFinished).length ?? 0) > 1 ? (
            <ActButton act={acknowledgeFinished}>Acknowledge all finished</ActButton>
          ) : null}
        </div>
        <Shown of={waiting}>{(value) => <Waits waiting={value} />}</Shown>
      </section>
      <Board />
    </>
  );
}

function Waits({ waiting: { items, total, listed } }: { readonly waiting: Waiting }) {
  return (
    <>
      <WaitingList items={items} empty={<EmptyState title="Nothing is waiting for you" />} />
      {total > listed ? (
        <p class="more">
          {`${counted(total - listed, 'more notification')}, older or of less weight, not shown: `}
          <code>belfry pending</code> lists them.
        </p>
      ) : null}
    </>
  );
}

async function acknowledgeFinished(): Promise<string> {
  const { acknowledged } = await call('notifications.ackAll', { kinds: [...FINISHED] });
  return `Acknowledged: ${counted(acknowledged, 'notification')}`;
}

function Board() {
  const [limit, setLimit] = useState(STEP);
  const q = place.value.query.get('q') ?? '';
  const all = place.value.query.get('all') === 'true';
  const live = useLive(`sessions ${q} ${all} ${limit}`, ['session'], (signal) =>
    readSessions({ q, all, limit }, signal),
  );
  return (
    <section aria-labelledby="sessions">
      <div class="head">
        <h2 id="sessions">Sessions</h2>
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
    </section>
  );
}

function Groups({ sessions, filtered }: { readonly sessions: readonly Session[]; readonly filtered: boolean }) {
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
      <div key={title} class="group">
        <h3>
          {title} <span class="count">{members.length}</span>
        </h3>
        <ul class="cards">
          {members.map((session) => (
            <SessionCard key={session.key} session={session} />
          ))}
        </ul>
      </div>
    );
  });
}

/** The first `limit` sessions, page by page. */
async function readSessions(
  { q, all, limit }: { readonly q: string; readonly all: boolean; readonly limit: number },
  signal: AbortSignal,
): Promise<{ readonly sessions: readonly Session[]; readonly total: number }> {
  const sessions: Session[] = [];
  let total = 0;
  let cursor: string | null = null;
  do {
    const filter = { ...(q === '' ? {} : { q }), ...(all ? { all: 'true' as const } : {}) };
    const more: object = cursor === null ? {} : { cursor };
    const page = await call(
      'sessions.list',
      { ...filter, ...more, limit: Math.min(500, limit - sessions.length) },
      signal,
    );
    sessions.push(...page.sessions);
    ({ total, cursor } = page);
  } while (cursor !== null && sessions.length < limit);
  return { sessions, total };
}
