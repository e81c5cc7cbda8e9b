// The three events about an account's limit, in words: it is nearly reached, it is reached, it is over.
import { sha256 } from '../../lib/hash.ts';
import { type LimitReached, type LimitUse, limitKeyOf, limitWords } from '../../model/agent/limits.ts';
import type { Event } from '../../model/event/event.ts';
import { type SessionKey, sessionKeyText } from '../../model/ids.ts';
import { type SessionRecord, sessionName } from '../../model/session/session.ts';
import { atDayTime, dayTime } from '../../model/time/clock-time.ts';

type Account = Omit<SessionKey, 'sessionId'>;
type Where = Pick<Event, 'cwd' | 'project' | 'branch'>;

interface Said extends Pick<Event, 'id' | 'kind' | 'detail' | 'urgency' | 'abnormal' | 'at'> {
  readonly title: string;
  readonly lines: readonly string[];
  readonly attributes: Event['attributes'];
}

/** Of all sessions of an account, so of none; routes go by where the session works that met it. */
function limitEvent({ host, user, agent }: Account, { cwd, project, branch }: Where, said: Said): Event {
  const { title, lines, ...rest } = said;
  const none = { place: null, hookEvent: null, sessionId: null, message: null, reason: null };
  const presetText = { title, body: lines.join('\n') };
  return { host, user, agent, cwd, project, branch, ...none, ...rest, presetText };
}

/** So that somebody who minds can prevent it. */
const GOES_ON =
  'Where answering is installed, Belfry lets its sessions go on then; `belfry continue --not-now` prevents that.';

const sessionWords = (count: number): string => (count === 1 ? '1 session' : `${count} sessions`);

/** `failed`: the session's event that says so; `who`: the agent as shown to people; `goesOn`: the settings let its sessions go on. */
export function reachedEvent(
  record: SessionRecord,
  limit: LimitReached,
  failed: Event,
  { who, goesOn }: { readonly who: string; readonly goesOn: boolean },
): Event {
  const key = limitKeyOf(record, limit.name);
  const { at, message } = failed;
  const { name, resetsAt, resumes } = limit;
  const until = resetsAt === null ? '' : `, until ${dayTime(resetsAt, at)}`;
  const then = resumes === true ? 'goes on without you' : 'can go on';
  return limitEvent(record, record, {
    id: `limit-${sha256(`${key}:${failed.id}`, 24)}`,
    kind: 'limit.reached',
    detail: name,
    // Nobody has to do anything about one that goes on.
    urgency: resumes === true ? 'normal' : 'urgent',
    abnormal: true,
    at,
    title: name === 'credit' ? `${who} is out of credit` : `${who}'s ${limitWords(name)} is reached${until}`,
    lines: [
      ...(message === null ? [] : [message]),
      resetsAt === null
        ? `${sessionName(record)} has stopped. When it can go on is not known.`
        : `${sessionName(record)} has stopped, and ${then} ${atDayTime(resetsAt, at)}.`,
      ...(goesOn && resetsAt !== null && resumes !== true ? [GOES_ON] : []),
    ],
    attributes: { key, limit },
  });
}

/** The same share of the same window is one event. */
export function lowEvent(account: Account, where: Where, use: LimitUse, at: number, who: string): Event {
  const { name, used, resetsAt } = use;
  const key = limitKeyOf(account, name);
  return limitEvent(account, where, {
    id: `limit-low-${sha256(`${key}:${resetsAt ?? at}`, 24)}`,
    kind: 'limit.low',
    detail: name,
    urgency: 'normal',
    abnormal: false,
    at,
    title: `${who}'s ${limitWords(name)}: ${Math.floor(used)}% used`,
    lines: resetsAt === null ? [] : [`It resets ${atDayTime(resetsAt, at)}.`],
    attributes: { key, limit: { name, resetsAt, resumes: null }, used },
  });
}

/** It is over, or a session went on before; `sessions`: those that it has stopped, at least one. `reported`: the event that it was reached. */
export function resetEvent(
  reported: Event,
  limit: LimitReached,
  sessions: readonly SessionRecord[],
  how: { readonly at: number; readonly early: boolean; readonly who: string },
): Event {
  const { at, early, who } = how;
  const resuming = sessions.filter(({ memory }) => (memory['limit'] as LimitReached | undefined)?.resumes === true);
  const others = sessions.filter((record) => !resuming.includes(record));
  const words = name(limit.name);
  const over = early ? `${who} answers again, before its ${words} resets` : `${who}'s ${words} is over`;
  const next =
    others.length === 0
      ? `${sessionWords(resuming.length)} ${resuming.length === 1 ? 'goes' : 'go'} on`
      : `${sessionWords(others.length)} can go on`;
  const list = (of: readonly SessionRecord[]): string =>
    [...new Set(of.map(sessionName))].slice(0, MOST_NAMED).join(', ');
  return limitEvent(reported, reported, {
    id: `limit-reset-${sha256(`${reported.id}:${limit.resetsAt}:${early}`, 24)}`,
    kind: 'limit.reset',
    detail: limit.name,
    urgency: others.length === 0 ? 'low' : 'normal',
    abnormal: false,
    at,
    title: `${over}: ${next}`,
    lines: [
      ...(others.length === 0 ? [] : [`You can go on with: ${list(others)}`]),
      ...(resuming.length === 0 ? [] : [`Going on without you: ${list(resuming)}`]),
    ],
    attributes: { key: reported.attributes['key'], sessions: others.map(sessionKeyText) },
  });
}

const MOST_NAMED = 20;
const name = (limit: string): string => (limit === 'credit' ? 'credit' : limitWords(limit));
