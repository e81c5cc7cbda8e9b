// The settings as they are in force, what an input would come to, and the daemon's own status.
import * as z from 'zod';
import { act, read } from './endpoint.ts';
import { id, time } from './fields.ts';
import { urgency, verdictRow } from './rows.ts';
import { wholeEvent } from './events.ts';

/** A moment as people name it. */
const named = z.string().min(1).max(40).meta({
  description: 'when it would come: 23:30, "sat 03:00" or an ISO time, by the clock of the machine; now without it',
});

/** What would be decided. */
const decided = {
  at: time.meta({ description: 'the moment that it was decided for' }),
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
      condition: z.string().meta({ description: 'in words: what holds it, and under which condition it goes out' }),
    }),
  ),
};

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
      at: named.optional(),
    }),
    result: z.object({
      agent: z.string(),
      event: wholeEvent,
      ...decided,
      notifications: z.array(z.object({ channel: z.string(), title: z.string(), body: z.string(), urgency })),
    }),
  }),
  'rules.explain': read({
    summary: 'What a stored event would come to by the rules of now; nothing is written or sent',
    params: z.object({ id }),
    query: z.strictObject({ at: named.optional() }),
    result: z.object({
      ...decided,
      routes: z.array(
        z.object({
          route: z.number(),
          to: z.array(z.string()),
          also: z.boolean(),
          reached: z.boolean(),
          matches: z.boolean(),
          misses: z.array(z.string()).meta({ description: 'conditions that do not match' }),
        }),
      ),
    }),
  }),
  'status.get': read({
    summary: "The daemon's status, as `belfry status --json` has it",
    result: z.looseObject({ started_at: time, events: z.number(), version: z.string(), now: time }),
  }),
} as const;
