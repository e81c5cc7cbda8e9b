// The organization's service through the daemon, for the usage pages: its key stays there.
import * as z from 'zod';
import { act, read } from './endpoint.ts';
import { maybeTime, time } from './fields.ts';

/** Failures of whatever asks the service. */
const failures = { 502: 'the service failed', 503: 'no service is configured' };

const day = z.iso.date();
const range = z.strictObject({
  from: day.optional().meta({ description: 'first day, UTC; all before it without one' }),
  to: day.optional().meta({ description: 'last day, UTC' }),
});

/** How many of how many parts of a repository pass. */
const share = () => z.tuple([z.number(), z.number()]);
const move = () =>
  z.object({ criterion: z.string(), before: share(), after: share(), rationale: z.string().nullable() });

const limit = z.object({ email: z.string(), limit: z.number() });
/** Most users of one request. */
const MOST_LIMITS = 100;

export const service = {
  'service.get': () =>
    read({
      summary: "A read of the organization's service, with the daemon's key: such as /service/analytics/tokens",
      params: z.object({ resource: z.string().max(64), method: z.string().max(64) }),
      query: z.looseObject({}),
      result: () => z.looseObject({}),
      failures,
    }),
  'service.readiness': () =>
    read({
      summary: 'Readiness reports, the latest first, each with the criteria that fell and rose since the one before it',
      query: range,
      result: () =>
        z.object({
          reports: z.array(
            z.object({
              id: z.string(),
              repository: z.string(),
              at: time,
              branch: z.string().nullable(),
              passed: z.number(),
              criteria: z.number(),
              below: z.array(z.string()).meta({ description: 'criteria that not all parts pass' }),
              fell: z.array(move()),
              rose: z.array(move()),
            }),
          ),
          complete: z.boolean().meta({ description: 'false: there are more than are read' }),
        }),
      failures,
    }),
  'service.controls': () =>
    read({
      summary:
        "Revisions of the organization's settings, the latest first, each with what it changed; secrets are not shown",
      query: range,
      result: () =>
        z.object({
          revisions: z.array(
            z.object({
              revision: z.number(),
              at: maybeTime,
              by: z.string().nullable(),
              changes: z.array(
                z.object({
                  path: z.string(),
                  removed: z.array(z.string()),
                  added: z.array(z.string()),
                  loosens: z.boolean().meta({ description: 'agents may do more than before' }),
                  text: z.string().meta({ description: 'all of it in words' }),
                }),
              ),
              note: z.string().nullable().meta({ description: 'why there are no changes' }),
            }),
          ),
          complete: z.boolean(),
        }),
      failures,
    }),
  'service.checkLimits': () =>
    act({
      summary: 'A dry run: the credit limits that a CSV or JSON text sets, and what is wrong with it; nothing is sent',
      body: z.strictObject({ text: z.string().max(20_000) }),
      result: () => z.object({ users: z.array(limit), errors: z.array(z.string()) }),
    }),
  'service.setLimits': () =>
    act({
      summary: "Sets users' credit limits; some may fail. From the page only",
      body: z.strictObject({ users: z.array(limit).min(1).max(MOST_LIMITS) }),
      result: () =>
        z.object({
          updated: z.array(limit),
          errors: z.array(z.object({ email: z.string(), error: z.string() })),
        }),
      failures,
    }),
} as const;
