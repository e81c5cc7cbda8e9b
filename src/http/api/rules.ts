// The settings as they are in force, what an input would come to, and the daemon's own status.
import * as z from 'zod';
import { act, read } from './endpoint.ts';
import { time } from './fields.ts';
import { urgency, verdictRow } from './rows.ts';
import { wholeEvent } from './events.ts';

export const rules = {
  'rules.get': read({
    summary: 'Routes, quiet hours and all settings in force, secrets hidden; errors of the file with line and column',
    result: z.object({
      file: z.string(),
      origin: z.enum(['file', 'defaults', 'last good']),
      errors: z.array(
        z.object({ line: z.number(), column: z.number(), message: z.string(), excerpt: z.string().nullable() }),
      ),
      routes: z.array(
        z.object({
          route: z.number(),
          match: z.looseObject({}),
          to: z.array(z.string()),
          also: z.boolean(),
          settings: z.looseObject({}),
        }),
      ),
      unrouted: z.array(z.string()).meta({ description: 'channels that no route names' }),
      quiet: z.looseObject({}).nullable(),
      settings: z.looseObject({}),
    }),
  }),
  'rules.try': act({
    summary: 'What an input would come to, now or at another time; nothing is written or sent',
    body: z.strictObject({
      input: z.string().min(1).max(900_000).meta({ description: "a hook's input, as text" }),
      agent: z.string().max(64).optional(),
      event: z.string().max(128).optional(),
      at: time.optional().meta({ description: 'when it would come; now without it' }),
    }),
    result: z.object({
      agent: z.string(),
      event: wholeEvent,
      verdicts: z.array(verdictRow),
      plan: z.array(
        z.object({
          channel: z.string(),
          step: z.number(),
          due: time,
          unless: z.string(),
          only: z.string(),
          held_by: z.string().nullable(),
          reason: z.string(),
        }),
      ),
      notifications: z.array(z.object({ channel: z.string(), title: z.string(), body: z.string(), urgency })),
    }),
  }),
  'status.get': read({
    summary: "The daemon's status, as `belfry status --json` has it",
    result: z.looseObject({ started_at: time, events: z.number(), version: z.string(), now: time }),
  }),
  'service.get': read({
    summary: "A read of the organization's service, with the daemon's key: such as /service/analytics/tokens",
    params: z.object({ resource: z.string().max(64), method: z.string().max(64) }),
    query: z.looseObject({}),
    result: z.looseObject({}),
    failures: { 502: 'the service failed', 503: 'no service is configured' },
  }),
} as const;
