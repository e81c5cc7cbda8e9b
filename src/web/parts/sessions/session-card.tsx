// One session on the board: what it does, where, since when, and its last words.
import type { ApiResult } from '../../../http/api/contract.ts';
import { agentName, sessionName } from '../../lib/names.ts';
import { Age, Continues, Left, Unreachable } from '../age.tsx';
import { kept } from '../kept.tsx';
import { StateBadge } from '../state-badge.tsx';

export type Session = ApiResult<'sessions.list'>['sessions'][number];

/** What it waits for, where it is a prompt. */
const WAITS: Readonly<Record<string, string>> = {
  permission: 'Needs your permission',
  question: 'Asks a question',
  idle: 'Waits for its next instruction',
};

/** `isNamed`: the group that it stands in has the name of its state. */
export const SessionCard = kept(({ session, isNamed }: { readonly session: Session; readonly isNamed: boolean }) => {
  const { key, agent, host, state, since, branch, waiting_for, last_words, limit, continues_at } = session;
  const { unreachable_since } = session;
  const place = [branch, host].filter((part) => part !== null && part !== '');
  const said = waiting_for === null ? last_words : (WAITS[waiting_for] ?? `Waiting for ${waiting_for}`);
  const stopped = limit === null ? 'Stopped' : `Stopped by its ${waiting_for}`;
  const words = limit === null && continues_at === null ? said : stopped;
  return (
    <li class="card session">
      <a class="whole" href={`/sessions/${encodeURIComponent(key)}`} data-item>
        <span class="row">
          <strong class="title">{sessionName(session)}</strong>
          <Age since={since} />
        </span>
        <span class="meta">
          {isNamed ? null : <StateBadge state={state} />}
          <span class="agent">{agentName(agent)}</span>
          {place.map((part) => (
            <span key={part}>{part}</span>
          ))}
          {unreachable_since === null ? null : <Unreachable since={unreachable_since} />}
        </span>
        {words === null ? null : (
          <span class="words">
            {words}
            {continues_at === null ? (
              limit?.resets_at && <Left until={limit.resets_at} />
            ) : (
              <Continues at={continues_at} />
            )}
          </span>
        )}
      </a>
    </li>
  );
});
