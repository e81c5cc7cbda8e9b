// One session: what it asks, a reply to it, its last words, and its timeline.
import { useEffect, useState } from 'preact/hooks';
import { call } from '../api/access.ts';
import { Prose } from '../parts/asked/prose.tsx';
import { agentName, sessionName } from '../lib/names.ts';
import { shownText } from '../lib/shown-text.ts';
import { tabName } from '../lib/tab-title.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Age, Continues, Unreachable } from '../parts/age.tsx';
import { Boundary } from '../parts/boundary.tsx';
import { FocusButton } from '../parts/sessions/focus-button.tsx';
import { SubjectCard } from '../parts/inbox/subject-card.tsx';
import type { Session } from '../parts/sessions/session-card.tsx';
import { SessionTimeline } from '../parts/sessions/timeline.tsx';
import { Shown } from '../parts/reading/read-state.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import type { Entry } from '../store/entries.ts';
import { entries } from '../store/inbox.ts';
import { useSession } from '../store/sessions.ts';

/** Its agent has exited: nothing of it is on a screen. */
const OVER: ReadonlySet<string> = new Set(['ended', 'failed']);

export function SessionPage({ name }: { readonly name: string }) {
  const live = useSession(name);
  return (
    <>
      <p class="trail">
        <a href="/sessions">Sessions</a>
      </p>
      <Shown of={live}>{(session) => <SessionShown session={session} />}</Shown>
    </>
  );
}

function SessionShown({ session }: { readonly session: Session }) {
  const { agent, host, branch, cwd, state, since, last_words, continues_at, unreachable_since } = session;
  const title = sessionName(session);
  useEffect(() => {
    tabName.value = title;
    return () => {
      tabName.value = null;
    };
  }, [title]);
  const where = [agentName(agent), branch, host, cwd].flatMap((part) => (part ? shownText(part) : []));
  const open = entriesOf(session.key);
  return (
    <div class="session-page">
      <h1>{title}</h1>
      <p class="meta lead">
        <StateBadge state={state} /> <Age since={since} />
        {continues_at === null ? null : <Continues at={continues_at} />} {where.join(' · ')}{' '}
        {unreachable_since === null ? null : <Unreachable since={unreachable_since} />}
      </p>
      {OVER.has(state) ? null : (
        <p class="buttons lead-in">
          <FocusButton name={session.key} title={title} />
        </p>
      )}
      {open.length === 0 ? null : (
        <section aria-labelledby="waits">
          <h2 id="waits">Waiting for you</h2>
          <div class="subjects">
            {open.map((entry) => (
              <Boundary key={entry.key} what="This card">
                <SubjectCard entry={entry} row={null} settled={() => undefined} />
              </Boundary>
            ))}
          </div>
        </section>
      )}
      {last_words === null ? null : (
        <section aria-labelledby="said">
          <h2 id="said">Last words</h2>
          <div class="quote">
            <Prose text={last_words} />
          </div>
        </section>
      )}
      {(state === 'finished' || state === 'failed') && open.every(({ group }) => group !== 'blocking') ? (
        <ReplyForm session={session} />
      ) : null}
      <SessionTimeline session={session} />
    </div>
  );
}

/** What waits of this session; of those that ask for the same, only this one. */
function entriesOf(key: string): readonly Entry[] {
  return entries.value.flatMap((entry): Entry[] => {
    const lines = entry.lines.filter(
      ({ item: { question, notification } }) => (notification?.session_key ?? question?.session_key) === key,
    );
    if (lines.length === 0) return [];
    return [lines.length === entry.lines.length ? entry : { ...entry, lines }];
  });
}

function ReplyForm({ session: { key } }: { readonly session: Session }) {
  const [text, setText] = useState('');
  const act = async (): Promise<string> => {
    await call('sessions.reply', { key, text });
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
