// Facts of rows. Each names the fields that leave, so that what a row has besides (process, transcript, memory, nonce) stays.
import { internalEvent } from '../model/event/internal-event.ts';
import * as z from 'zod';
import { cutGraphemes } from '../lib/text/text.ts';
import type { Event } from '../model/event/event.ts';
import type {
  EventFact,
  Fact,
  JudgedPresence,
  MachineFact,
  MuteFact,
  NotificationFact,
  QuestionFact,
  SessionFact,
} from '../model/link/fact.ts';
import type { Notification } from '../model/notification/notification.ts';
import { seenAt } from '../model/notification/resolution.ts';
import { awayAt } from '../model/presence/away.ts';
import type { Presence } from '../model/presence/presence.ts';
import { subjectSchema } from '../model/question/answering.ts';
import type { Question } from '../model/question/question.ts';
import { seenOf } from '../model/question/seen.ts';
import { effectiveState } from '../model/session/effective-state.ts';
import type { SessionRecord } from '../model/session/session.ts';
import { render } from '../pipeline/index.ts';
import type { MachineState, StoredSilence } from '../store/contract.ts';
import { type Cutting, cutContent, cutEvent, sessionName } from './cut.ts';

/** How facts are made. */
export interface Making extends Cutting {
  /** Unix ms: they are sent at once. */
  readonly now: number;
  /** An agent as shown to people. */
  readonly displayName: (agent: string) => string;
}

/** Why not all of a question is there, for people. */
const CUT = 'only a part of it leaves its machine';
const HIDDEN = 'a part of it was hidden as a secret';
const TOO_LONG = 'it is too long to be sent whole';

const timed = (at: number, now: number) => ({ at, age_ms: Math.max(0, Math.round(now - at)) });

/** Attributes that leave: what else a client's input had does not. */
const LISTED = {
  seconds: z.number(),
  tool: z.object({ name: z.string(), summary: z.string().nullish() }),
  last_assistant_message: z.string(),
  prompt: z.string(),
  request: z.string(),
  subagent: z.object({ id: z.string().nullish(), name: z.string().nullish() }),
  parent_session_id: z.string(),
  channel: z.string(),
  remote: z.string(),
} as const;

function listed(attributes: Event['attributes']): Record<string, unknown> {
  const found = Object.entries(LISTED).map(([name, shape]) => [name, shape.safeParse(attributes[name]).data] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** An event that happened. */
export function eventFact(whole: Event, making: Making): EventFact {
  const event = cutEvent({ ...whole, attributes: listed(whole.attributes) }, making);
  const { id, kind, detail, urgency, abnormal, agent, host, user, project, branch, cwd, message, reason } = event;
  return {
    type: 'event',
    id,
    ...timed(event.at, making.now),
    ...{ kind, detail, urgency, abnormal, agent, host, user, session: event.sessionId },
    ...{ project, branch, cwd, message, reason, attributes: event.attributes },
  };
}

/** What is cut like an event and is none. */
const NO_EVENT = internalEvent({ id: '', kind: 'agent.other', at: 0, presetText: null });

/** A session as it is now. */
export function sessionFact(record: SessionRecord, making: Making): SessionFact {
  const { host, user, agent, sessionId, version, state, since, waitingFor, running, ...shown } = effectiveState(
    record,
    making.now,
  );
  const { cwd, project, branch, title, parentSessionId } = shown;
  const work = running.map(({ id, type, label }) => ({ id, type, label }));
  const named = { host, user, agent, sessionId, cwd, project, branch };
  const cut = cutEvent(
    { ...NO_EVENT, ...named, message: title, detail: waitingFor, attributes: { running: work } },
    making,
  );
  return {
    type: 'session',
    ...timed(record.lastEvent, making.now),
    ...{ agent, host, user, session: sessionName(sessionId, making) },
    ...{ version, state, since },
    waiting_for: cut.detail,
    title: cut.message,
    project: cut.project,
    branch: cut.branch,
    parent: sessionName(parentSessionId, making),
    running: Array.isArray(cut.attributes['running']) ? (cut.attributes['running'] as typeof work) : [], // as it went in, redacted
  };
}

/** A notification of one event. `presence`: what was judged of its person last; null: nothing. */
export function notificationFact(
  row: Notification,
  event: Event,
  presence: JudgedPresence | null,
  making: Making,
): NotificationFact {
  const { id, version, kind, urgency, state, revision, acknowledged, resolved } = row;
  const { text } = making.redactor;
  const whole = render(event, { messages: [] }, making.displayName(event.agent));
  const { title, body } = cutContent({ ...whole, title: row.title }, making);
  const seen = seenAt(row);
  return {
    type: 'notification',
    id,
    ...timed(row.createdAt, making.now),
    ...{ version, events: [...row.eventIds], kind, urgency, state, revision, content: { title, body } },
    acknowledged: acknowledged && { by: text(acknowledged.by), via: text(acknowledged.via), at: acknowledged.at },
    // What shows that its person has seen it is of this machine's screen.
    resolved: resolved && { why: seen === null ? text(resolved.why) : 'seen', at: resolved.at },
    seen: seen === null ? null : { at: seen },
    presence,
  };
}

/** What is said of a person who was judged at a time, Unix ms. */
export function judgedPresence({ away, looking, idle }: Presence, at: number): JudgedPresence {
  if (away) return { state: 'away', at };
  if (looking === 'yes') return { state: 'present', at };
  if (idle === 'yes') return { state: 'idle', at };
  return { state: looking === 'no' ? 'away' : 'unknown', at };
}

/** A question of a notification; null: its row cannot be read. One that is not whole says so, and cannot be allowed from elsewhere. */
export function questionFact(
  row: Question,
  notification: Pick<Notification, 'createdAt'>,
  whereabouts: Pick<Event, 'host' | 'user'>,
  making: Making,
): QuestionFact | null {
  const read = subjectSchema.safeParse(row.subject);
  if (!read.success) return null;
  const { agent, sessionId, cwd, subagent, tool, text, choices, partial } = read.data;
  const { host, user } = whereabouts;
  const subject = {
    ...{ ...NO_EVENT, host, user, agent, sessionId, cwd },
    ...{ message: text, detail: tool, reason: subagent, attributes: { choices } },
  };
  const cut = cutEvent(subject, making);
  const whole = cutEvent(subject, { ...making, level: 'full' });
  const hidden = JSON.stringify(whole) === JSON.stringify(subject) ? null : HIDDEN;
  const { id, version, notificationId, kind, deadline, state, answeredBy } = row;
  return {
    type: 'question',
    id,
    ...timed(notification.createdAt, making.now),
    ...{ version, notification: notificationId, kind },
    subject: {
      ...{ agent, session: cut.sessionId, cwd: cut.cwd, subagent: cut.reason, tool: cut.detail },
      text: cut.message ?? '',
      choices: Array.isArray(cut.attributes['choices']) ? (cut.attributes['choices'] as typeof choices) : [], // as they went in, redacted
      partial: making.level === 'full' ? (partial ?? hidden) : CUT,
    },
    input_hash: seenOf(row),
    ...{ deadline, state, answered_by: answeredBy === null ? null : making.redactor.text(answeredBy) },
  };
}

/** Longest text of a fact that is too long, in UTF-16 units. */
const SHORTENED = 2_000;

const cutText = <T extends string | null>(text: T): T | string =>
  text === null ? text : cutGraphemes(text, SHORTENED);

/** The same with so little of its text that any batch takes it. A question is not whole then. */
export function shortened(fact: Fact): Fact {
  switch (fact.type) {
    case 'event':
      return { ...fact, message: cutText(fact.message), reason: cutText(fact.reason), attributes: {} };
    case 'session':
      return { ...fact, title: cutText(fact.title), waiting_for: cutText(fact.waiting_for), running: [] };
    case 'question': {
      const { subject } = fact;
      const text = cutText(subject.text);
      return { ...fact, subject: { ...subject, text, choices: [], partial: subject.partial ?? TOO_LONG } };
    }
    default:
      return fact;
  }
}

/** A mute in force; null: it says nothing to a hub, which has other channels, and at level `title` knows no folders. */
export function muteFact(silence: StoredSilence, making: Making): MuteFact | null {
  const { id, version, until, session, cwd, channel, all, createdAt } = silence;
  if (channel !== null || (cwd !== null && making.level === 'title')) return null;
  const match = { session: sessionName(session, making), cwd: cwd && making.redactor.text(cwd), all };
  return { type: 'mute', id, ...timed(createdAt, making.now), version, match, until };
}

/** A mute that has been ended: its row is gone, and its id comes again no more. */
export function endedMute(id: string, { now }: Pick<Making, 'now'>): MuteFact {
  const match = { session: null, cwd: null, all: false };
  return { type: 'mute', id, ...timed(now, now), version: Number.MAX_SAFE_INTEGER, match, until: 0 };
}

/** This machine. `name`: as it joined; `versions`: of Belfry and what it runs on. */
export function machineFact(
  said: MachineState | null,
  of: { readonly name: string; readonly versions: Readonly<Record<string, string>> },
  now: number,
): MachineFact {
  const { name, versions } = of;
  const until = awayAt(said, now)?.until ?? null;
  const version = said?.version ?? 0;
  return {
    type: 'machine',
    ...timed(now, now),
    version,
    name,
    away_until: until,
    clock: now,
    versions: { ...versions },
  };
}
