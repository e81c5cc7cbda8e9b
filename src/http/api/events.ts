// Events, each with all that was decided about it.
import * as z from 'zod';
import { read } from './endpoint.ts';
import { flag, id, instant, list, maybeTime, more, page, search } from './fields.ts';
import { attemptRow, deliveryRow, eventSummary, kind, notificationRow, urgency, verdictRow } from './rows.ts';

/** An event whole: the fields of the model, under the names that `--json` has. */
export const wholeEvent = () =>
  z.looseObject({
    id: z.string(),
    at: z.iso.datetime(),
    kind,
    agent: z.string(),
    hook_event: z.string().nullable(),
    session_id: z.string().nullable(),
    urgency,
    abnormal: z.boolean(),
    title: z.string(),
  });

export const events = {
  'events.list': () =>
    read({
      summary: 'Events, the latest first',
      query: z.strictObject({
        ...page,
        kind: list(kind).optional(),
        urgency: list(urgency).optional(),
        agent: list(z.string().min(1)).optional(),
        session: z.string().max(512).optional(),
        since: instant.optional(),
        until: instant.optional(),
        failed: flag.optional().meta({ description: 'only those with a delivery that was given up or is paused' }),
        q: search.meta({ description: 'anywhere in the event' }),
      }),
      result: () => z.object({ events: z.array(eventSummary()), ...more }),
    }),
  'events.get': () =>
    read({
      summary: "One event with each stage's verdict, its notifications and deliveries with every attempt",
      params: z.object({ id }),
      result: () =>
        z.object({
          event: wholeEvent(),
          verdicts: z.array(verdictRow()),
          notifications: z.array(notificationRow()),
          deliveries: z.array(deliveryRow().extend({ attempt_list: z.array(attemptRow()) })),
        }),
    }),
  'events.files': () =>
    read({
      summary: "Files that a session's tools edited in the turn that this event ends, as its transcript has them",
      params: z.object({ id }),
      result: () =>
        z.object({
          files: z
            .array(z.string())
            .meta({ description: "the last edited last; relative to the session's folder where they are in it" }),
          count: z.number().meta({ description: 'of all: the list may be cut' }),
          whole: z.boolean().meta({ description: 'false: the turn began before what is read of the transcript' }),
        }),
    }),
  'events.why': () =>
    read({
      summary:
        'Why an event was sent where it was, why not to each other channel, and what is still to come, in plain words',
      params: z.object({ id: id.meta({ description: 'of an event, or of a notification' }) }),
      result: () =>
        z.object({
          event_id: z.string(),
          rows: z.array(
            z.object({
              at: maybeTime.meta({ description: 'null: at no time, as of a channel that gets nothing' }),
              channel: z.string().nullable().meta({ description: 'null: it is about no channel' }),
              what: z
                .enum(['happened', 'got', 'next', 'not'])
                .meta({ description: 'next: is still to come; not: the channel has it not' }),
              text: z.string().meta({ description: 'a sentence' }),
            }),
          ),
        }),
    }),
} as const;
