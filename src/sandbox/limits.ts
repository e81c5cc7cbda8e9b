// The mock's credit limits: known users are set, others are errors of a 200 answer.
import { people } from './people.ts';
import type { Handlers } from './service.ts';

/** Limits of this seed's users. */
export function limitsOf(seed: string): Handlers['usageLimits'] {
  const known = new Set(people(seed).map((person) => person.email));
  return {
    set: ({ users }) => ({
      updated: users.filter((user) => known.has(user.email.toLowerCase()) && user.limit >= 0),
      errors: users.flatMap(({ email, limit }) => {
        if (!known.has(email.toLowerCase())) return [{ email, error: 'no user of the organization has this address' }];
        return limit < 0 ? [{ email, error: 'a limit cannot be negative' }] : [];
      }),
    }),
  };
}
