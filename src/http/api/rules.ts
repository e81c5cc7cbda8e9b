// The settings as they are in force, what an input would come to, and the daemon's own status.
import * as z from 'zod';
import { act, read } from './endpoint.ts';
import { ONLY } from '../../model/delivery/delivery.ts';
import { id, maybeTime, time } from './fields.ts';
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

/** One of what may come, as a sentence and as rows. */
const ifItCame = z.object({
  text: z.string(),
  sends: z.array(
    z.object({
      channel: z.string(),
      step: z.number().meta({ description: '0: the first; then escalations, from 100 on reminders' }),
      audience: z.enum(['people', 'records']),
      only: z.enum(ONLY),
      at: time,
      state: z.enum(['goes', 'held', 'waits', 'failing']),
      until: maybeTime.meta({ description: 'when that ends, or is looked at again' }),
      why: z.string().meta({ description: 'what keeps it; empty: nothing' }),
    }),
  ),
});

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
          later: z.array(z.string()).meta({ description: 'channels that it escalates to' }),
          also: z.boolean(),
          reached: z.boolean(),
          matches: z.boolean(),
          misses: z.array(z.string()).meta({ description: 'conditions that do not match' }),
        }),
      ),
    }),
  }),
  'status.ifNow': read({
    summary:
      'What would become of a prompt, and of something urgent, that came now: where it would go, when, and what stands in the way',
    result: z.object({
      at: time,
      text: z.string().meta({ description: 'both in one or two sentences' }),
      from: z
        .object({ agent: z.string(), project: z.string().nullable(), session_id: z.string().nullable() })
        .nullable()
        .meta({ description: 'the session heard of last: it is taken to come from there' }),
      prompt: ifItCame,
      urgent: ifItCame,
      notes: z
        .array(z.object({ channel: z.string().nullable(), text: z.string() }))
        .meta({ description: 'away, quiet hours, mutes, channels that fail or that no route names' }),
    }),
  }),
  'status.get': read({
    summary: "The daemon's status, as `belfry status --json` has it",
    result: z.looseObject({ started_at: time, events: z.number(), version: z.string(), now: time }),
  }),
} as const;
