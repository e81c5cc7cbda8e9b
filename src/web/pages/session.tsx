// One session: what it asks, a reply to it, what it waits with, its latest events.
import { useState } from 'preact/hooks';
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { useLive } from '../api/live.ts';
import { itemsOf } from '../api/what-waits.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Age } from '../parts/age.tsx';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { EventRow } from '../parts/events/event-row.tsx';
import { FocusButton } from '../parts/sessions/focus-button.tsx';
import { sessionTitle } from '../parts/sessions/session-card.tsx';
import { Shown } from '../parts/reading/read-state.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { WaitingList } from '../parts/waiting/waiting-list.tsx';

type Whole = ApiResult<'sessions.get'>;

/** Its agent has exited: nothing of it is on a screen. */
const OVER: ReadonlySet<string> = new Set(['ended', 'failed']);

export function SessionPage({ name }: { readonly name: string }) {
  const live = useLive(`session ${name}`, ['session', 'event', 'notification', 'question', 'delivery'], (signal) =>
    call('sessions.get', { key: name }, signal),
  );
  return (
    <>
      <p class="trail">
        <a href="/">Sessions</a>
      </p>
      <Shown of={live}>{(whole) => <SessionDetail whole={whole} />}</Shown>
    </>
  );
}

function SessionDetail({ whole: { session, events, questions, notifications } }: { readonly whole: Whole }) {
  const { agent, host, project, branch, cwd, state, since, session_id, last_words } = session;
  const open = notifications.filter((one) => one.state === 'open');
  const where = [agent, project, branch, host, cwd].filter((part) => part !== null && part !== '');
  return (
    <article>
      <h1>{sessionTitle(session)}</h1>
      <p class="meta lead">
        <StateBadge state={state} /> <Age since={since} /> {where.join(' · ')}
      </p>
      {OVER.has(state) ? null : (
        <p class="buttons lead-in">
          <FocusButton name={session.key} title={sessionTitle(session)} />
        </p>
      )}
      {last_words === null ? null : <p class="quote">{last_words}</p>}
      <section aria-label="Waiting for you">
        <WaitingList items={itemsOf(open, questions)} heading={<h2>Waiting for you</h2>} />
      </section>
      {questions.length === 0 && state === 'finished' ? <ReplyForm name={session.key} /> : null}
      <section aria-labelledby="latest">
        <h2 id="latest">Latest events</h2>
        {events.length === 0 ? <EmptyState title="No events are kept" /> : null}
        <ol class="rows">
          {events.map((event) => (
            <li key={event.id}>
              <EventRow event={event} />
            </li>
          ))}
        </ol>
        <p class="more">
          <a href={`/events?session=${encodeURIComponent(session_id)}`}>All its events</a>
        </p>
      </section>
    </article>
  );
}

function ReplyForm({ name }: { readonly name: string }) {
  const [text, setText] = useState('');
  const act = async (): Promise<string> => {
    await call('sessions.reply', { key: name, text });
    setText('');
    return 'Sent to the agent';
  };
  return (
    <section class="card block" aria-labelledby="reply">
      <h2 id="reply">Reply</h2>
      <label class="field">
        <span>What should the agent do next?</span>
        <textarea rows={3} maxLength={10_000} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <ActButton kind="primary" disabled={text.trim() === ''} act={act}>
          Reply
        </ActButton>
      </div>
    </section>
  );
}
