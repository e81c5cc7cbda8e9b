// The rows that answers are made of; the functions of model/row-json.ts make them.
import * as z from 'zod';
import { DELIVERY_STATES, ONLY, REASONS } from '../../model/delivery/delivery.ts';
import { KINDS, URGENCIES } from '../../model/event/event.ts';
import { NOTIFICATION_STATES } from '../../model/notification/notification.ts';
import { SESSION_STATES } from '../../model/session/session.ts';
import { maybeTime, time } from './fields.ts';

const text = z.string();
const maybe = text.nullable();

export const kind = z.enum(KINDS);
export const urgency = z.enum(URGENCIES);

export const sessionRow = () =>
  z.object({
    key: text.meta({ description: 'of the session, among all machines and agents' }),
    agent: text,
    host: text,
    user: text,
    session_id: text,
    state: z.enum(SESSION_STATES),
    since: time,
    first_seen: time,
    last_event: time,
    cwd: maybe,
    project: maybe,
    branch: maybe,
    title: maybe,
    waiting_for: maybe,
    last_words: maybe,
    turn_started: maybeTime,
    running: z.array(z.looseObject({})),
    subagents: z.array(text),
    parent_session_id: maybe,
    pid: z.number().nullable(),
    limit: z
      .object({
        name: text,
        resets_at: maybeTime,
        goes_on: z.boolean().meta({ description: 'the client goes on by itself then' }),
      })
      .nullable()
      .meta({ description: "the account's usage limit that stopped it" }),
    continues_at: maybeTime.meta({ description: 'when Belfry gives it its next instruction by itself' }),
    unreachable_since: maybeTime.meta({ description: 'its machine elsewhere is not connected since then' }),
  });

/** An event as lists show it. */
export const eventSummary = () =>
  z.object({
    id: text,
    at: time,
    kind,
    detail: maybe,
    urgency,
    abnormal: z.boolean(),
    agent: text,
    host: text,
    session_id: maybe,
    project: maybe,
    branch: maybe,
    cwd: maybe,
    title: text,
    outcome: z.object({
      notified: z.array(text).meta({ description: 'channels it went or is to go to' }),
      note: maybe.meta({ description: 'why nobody was notified' }),
    }),
  });

export const verdictRow = () =>
  z.object({ stage: text, verdict: z.enum(['pass', 'change', 'stop', 'route']), note: text });

export const attemptRow = () =>
  z.object({
    at: time,
    number: z.number(),
    ms: z.number(),
    ok: z.boolean(),
    reason: z.enum(REASONS).nullable(),
    error: maybe,
    answer: maybe,
    status: z.number().nullable(),
    next: text,
  });

export const deliveryRow = () =>
  z.object({
    id: text,
    notification_id: text,
    event_id: text,
    channel: text,
    operation: z.enum(['send', 'update', 'retract']),
    revision: z.number(),
    step: z.number(),
    state: z.enum(DELIVERY_STATES),
    scheduled: z.boolean(),
    only: z.enum(ONLY),
    unless: z.enum(['resolved', 'acknowledged', 'none']),
    attempts: z.number(),
    kind,
    session_id: maybe,
    title: text,
    count: z.number(),
    urgency,
    held_by: maybe,
    due: time,
    created_at: time,
    updated_at: time,
    last_reason: z.enum(REASONS).nullable(),
    last_error: maybe,
  });

export const questionRow = () =>
  z.object({
    id: text,
    notification_id: text,
    session_key: text,
    kind: z.enum(['permission', 'choice', 'text']),
    state: z.enum(['open', 'answered', 'closed']),
    subject: z
      .looseObject({})
      .meta({ description: 'what is asked: the command, the file and its difference, the options' }),
    answers: z.array(text).meta({
      description: 'the types of answers that it takes from here: nothing is allowed that is not shown whole',
    }),
    seen: text.meta({ description: 'what its answer has to carry back; another one once anything else is shown' }),
    deadline: time,
    answered_by: maybe,
    closed: maybe,
  });

/** What is still to come of a notification. */
export const nextSteps = () =>
  z.array(
    z.object({
      channel: text,
      at: time,
      what: z.enum(['first', 'escalation', 'reminder']),
      only: z.enum(ONLY).meta({ description: 'sent only while the person is away or idle' }),
      held: z
        .boolean()
        .meta({ description: 'by a mute, quiet hours, an outage or its group: it comes together with others' }),
    }),
  );

/** What something that waits is in a list of it: an agent is held up, something went wrong, anything else. */
const group = z.enum(['blocking', 'failed', 'done']);

export const notificationRow = () =>
  z.object({
    id: text,
    kind,
    detail: maybe,
    urgency,
    group: group.meta({
      description: 'blocking: an agent is held up; failed: something went wrong; done: anything else',
    }),
    title: text,
    text: maybe.meta({ description: 'what was said besides: the error, the last words, what a tool is to do' }),
    state: z.enum(NOTIFICATION_STATES),
    revision: z.number(),
    since: time,
    happened_at: time.meta({
      description: 'when its first event happened: before `since`, where Belfry heard of it late',
    }),
    updated_at: time,
    event_ids: z.array(text),
    agent: maybe,
    session_id: maybe,
    session_key: maybe,
    project: maybe,
    branch: maybe,
    cwd: maybe,
    seconds: z.number().nullable().meta({ description: 'how long the turn took' }),
    notified: z.array(text).meta({ description: 'channels that it was sent to, in a digest too' }),
    unsent: z.array(text).meta({ description: 'channels that a message of it is still to go to' }),
    due: maybeTime.meta({ description: 'when the next of these messages leaves that waits for its time' }),
    next: nextSteps().meta({ description: 'messages that are planned for later, the soonest first' }),
    stopped: z
      .array(
        z.object({
          key: text,
          continues_at: maybeTime,
          resets_at: maybeTime,
          takes_instruction: z.boolean().meta({ description: 'false: only its terminal takes its next instruction' }),
        }),
      )
      .meta({
        description:
          'sessions that it says a limit, a server error or a network error stopped, and that stand still yet',
      }),
    acknowledged: z.object({ at: time, by: text, via: text }).nullable(),
    resolved: z.object({ at: time, why: text }).nullable(),
    question: questionRow().nullable().meta({ description: 'the first of its open questions' }),
    questions: z.array(questionRow()).meta({ description: 'all that are open' }),
  });

/** What a message of the stream carries besides what changed, for whoever asks for rows: as lists have them. */
export const streamRows = () =>
  z.object({
    sessions: z.array(sessionRow()),
    events: z.array(eventSummary()),
    deliveries: z.array(deliveryRow()),
    /** Of what waits for a person. Null: nothing of it changed. */
    waiting: z
      .object({
        notifications: z.array(notificationRow()),
        questions: z.array(questionRow()),
        /** Ids of notifications and questions that are not listed any more. */
        gone: z.array(text),
        total: z.number(),
      })
      .nullable(),
  });

export const muteRow = () =>
  z.object({
    id: text,
    until: maybeTime.meta({ description: 'null: until it is ended' }),
    session: maybe,
    cwd: maybe,
    channel: maybe,
    all: z.boolean().meta({ description: 'urgent events too' }),
    created_at: time,
    reason: maybe,
    text: text.meta({ description: 'all of it in words' }),
  });
