// Credit limits of users, by e-mail (sections 2.12 and 4.6 of docs/contributing/service-interface.md).
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { json, loose, none } from './fields.ts';

/** The most entries one request may carry. */
export const MOST_USERS = 100;

/** Laxer than most checks: the service knows its users, and RFC 5321 allows `=` and the like before the @. */
const ADDRESS = /^[^\s@"(),:;<>[\]\\]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,20}$/u;
const email = z.email({ pattern: ADDRESS, error: 'must be an e-mail address' });
const limit = z
  .number('must be a number')
  .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value), 'must be at most 9007199254740991');

/** `client.usageLimits`, `belfry api usage-limits`. */
export const usageLimits = {
  set: endpoint({
    method: 'PUT',
    host: 'base',
    path: '/api/v0/organization/usage/limits/users',
    params: none,
    query: none,
    body: z.strictObject({
      users: z
        .array(z.strictObject({ email, limit }))
        .min(1, 'must have at least one entry')
        .max(MOST_USERS, `must have at most ${MOST_USERS} entries`)
        .meta({ flag: 'user' }),
    }),
    status: 200,
    result: loose({
      updated: z.array(loose({ email: z.string(), limit: z.number('must be a number') })),
      errors: z.array(loose({ email: z.string(), error: z.string() })),
    }),
    failures: [],
    error: json,
    role: 'any',
    auth: 'key-or-jwt',
    repeat: 'server-fault',
    section: '4.6',
    columns: ['updated', 'errors'],
    summary: 'Sets the credit limits of up to 100 users; some entries may fail.',
  }),
};
