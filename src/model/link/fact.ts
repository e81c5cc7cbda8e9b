// Facts: what a laptop's link says to a hub. Each names a row, not an increment, so that sending all of them again changes nothing.
import * as z from 'zod';
import { KINDS, URGENCIES } from '../event/event.ts';
import { NOTIFICATION_STATES } from '../notification/notification.ts';
import { choiceSchema } from '../question/answering.ts';
import { SESSION_STATES } from '../session/session.ts';

/** In the order in which a batch has them: what others name comes first. */
export const FACT_TYPES = ['machine', 'event', 'session', 'notification', 'question', 'mute'] as const;

const text = z.string();
const maybe = z.string().nullable();
/** Unix ms by the laptop's clock. */
const time = z.int();
/** Grows with each write of the row. */
const version = z.int().min(0);

/** `at` is shown, and part of an event's name. What rules count with is `age_ms`, how old it was when it was sent: the hub takes it off its own clock. */
const timed = { at: time, age_ms: z.int().min(0) };
/** Labels: whose a fact is, the token says. */
const labels = { agent: text, host: text, user: text };

/** Named by `id` and `at`. The first one stays: an event never changes. */
const eventFact = z.object({
  type: z.literal('event'),
  id: text,
  ...timed,
  kind: z.enum(KINDS),
  detail: maybe,
  urgency: z.enum(URGENCIES),
  abnormal: z.boolean(),
  ...labels,
  session: maybe,
  project: maybe,
  branch: maybe,
  cwd: maybe,
  message: maybe,
  reason: maybe,
  /** Those that rules and words go by; empty below `full`. */
  attributes: z.record(z.string(), z.unknown()),
});

/** Named by agent, host, user and session; the highest (epoch, version) stays. `at`: of its last event. */
const sessionFact = z.object({
  type: z.literal('session'),
  ...timed,
  ...labels,
  session: text,
  version,
  state: z.enum(SESSION_STATES),
  since: time,
  waiting_for: maybe,
  title: maybe,
  project: maybe,
  branch: maybe,
  /** The session that began it. */
  parent: maybe,
  running: z.array(z.object({ id: maybe, type: text, label: maybe })),
});

/** What the laptop found of its person, for a route's `when` on the hub; one older than 60 s says nothing any more, and the person counts as away. */
const presence = z.object({ state: z.enum(['present', 'idle', 'away', 'unknown']), at: time });

/** Named by `id`; the highest (epoch, version) stays. `at`: when it was opened. */
const notificationFact = z.object({
  type: z.literal('notification'),
  id: text,
  ...timed,
  version,
  events: z.array(text),
  kind: z.enum(KINDS),
  urgency: z.enum(URGENCIES),
  state: z.enum(NOTIFICATION_STATES),
  revision: z.int().min(1),
  /** Redacted, and cut to the level. */
  content: z.object({ title: text, body: text }),
  acknowledged: z.object({ by: text, via: text, at: time }).nullable(),
  resolved: z.object({ why: text, at: time }).nullable(),
  /** Its person has seen what it is about. */
  seen: z.object({ at: time }).nullable(),
  presence: presence.nullable(),
});

/** Named by `id`; the highest (epoch, version) stays. `at`: when its notification was opened. */
const questionFact = z.object({
  type: z.literal('question'),
  id: text,
  ...timed,
  version,
  notification: text,
  kind: z.enum(['permission', 'choice', 'text']),
  subject: z.object({
    agent: text,
    session: maybe,
    cwd: maybe,
    subagent: maybe,
    tool: maybe,
    text,
    choices: z.array(choiceSchema),
    /** Why `text` is not all of it: nobody may allow it then. Null: it is. */
    partial: maybe,
  }),
  /** Stands for all that is asked, keyed per question: an answer brings it back, and nobody can guess from it what was left out. */
  input_hash: text,
  deadline: time,
  state: z.enum(['open', 'answered', 'closed']),
  answered_by: maybe,
});

/** Named by `id`; the highest (epoch, version) stays. What the hub sends to this person. */
const muteFact = z.object({
  type: z.literal('mute'),
  id: text,
  ...timed,
  version,
  match: z.object({ session: maybe, cwd: maybe, all: z.boolean() }),
  /** Null: until it is ended; one that has ended says 0. */
  until: time.nullable(),
});

/** There is one; the latest stays. */
const machineFact = z.object({
  type: z.literal('machine'),
  ...timed,
  version,
  name: text,
  away_until: time.nullable(),
  clock: time,
  versions: z.record(z.string(), z.string()),
});

/** A fact as it arrives. Fields that are not known here are kept. */
export const factSchema = z.discriminatedUnion('type', [
  machineFact.loose(),
  eventFact.loose(),
  sessionFact.loose(),
  notificationFact.loose(),
  questionFact.loose(),
  muteFact.loose(),
]);

export type EventFact = z.output<typeof eventFact>;
export type SessionFact = z.output<typeof sessionFact>;
export type NotificationFact = z.output<typeof notificationFact>;
export type QuestionFact = z.output<typeof questionFact>;
export type MuteFact = z.output<typeof muteFact>;
export type MachineFact = z.output<typeof machineFact>;
/** A fact as it is made: with these fields and no others. */
export type Fact = MachineFact | EventFact | SessionFact | NotificationFact | QuestionFact | MuteFact;

/** What the laptop found of its person. */
export type JudgedPresence = z.output<typeof presence>;

/** What two facts have in common that are of the same row. */
export function factName(fact: Fact): string {
  switch (fact.type) {
    case 'machine':
      return 'machine';
    case 'event':
      return JSON.stringify(['event', fact.id, fact.at]);
    case 'session':
      return JSON.stringify(['session', fact.host, fact.user, fact.agent, fact.session]);
    default:
      return JSON.stringify([fact.type, fact.id]);
  }
}

/** One fact a row, the latest, each after what it names. */
export function inOrder(facts: readonly Fact[]): readonly Fact[] {
  const kept = new Map<string, Fact>();
  for (const fact of facts) {
    const name = factName(fact);
    const known = kept.get(name);
    if (known === undefined || versionOf(fact) > versionOf(known)) kept.set(name, fact);
  }
  return FACT_TYPES.flatMap((type) => [...kept.values()].filter((fact) => fact.type === type));
}

/** An event has none: the first one stays. */
const versionOf = (fact: Fact): number => (fact.type === 'event' ? 0 : fact.version);
