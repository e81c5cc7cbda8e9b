// Events, each with all that was decided about it.
import * as z from 'zod';
import { read } from './endpoint.ts';
import { flag, id, instant, list, more, page, search } from './fields.ts';
import { attemptRow, deliveryRow, eventSummary, kind, notificationRow, urgency, verdictRow } from './rows.ts';

/** An event whole: the fields of the model, under the names that `--json` has. */
export const wholeEvent = z.looseObject({
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
  'events.list': read({
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
    result: z.object({ events: z.array(eventSummary), ...more }),
  }),
  'events.get': read({
    summary: "One event with each stage's verdict, its notifications and deliveries with every attempt",
    params: z.object({ id }),
    result: z.object({
      event: wholeEvent,
      verdicts: z.array(verdictRow),
      notifications: z.array(notificationRow),
      deliveries: z.array(deliveryRow.extend({ attempt_list: z.array(attemptRow) })),
    }),
  }),
} as const;
