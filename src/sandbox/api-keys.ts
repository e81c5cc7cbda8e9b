// The mock's keys: an owner's, a member's and a JWT; worth nothing anywhere else.
import { hex, seeded } from './random.ts';

export interface Keys {
  readonly apiKey: string;
  /** A member's: 403 where a manager's role is needed. */
  readonly memberKey: string;
  /** Taken where the service takes a JWT. */
  readonly jwt: string;
}

/** The keys of this seed. */
export function keysOf(seed: string): Keys {
  const draw = seeded(seed, 'keys');
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    apiKey: `sandbox-owner-${hex(draw, 3)}`,
    memberKey: `sandbox-member-${hex(draw, 3)}`,
    jwt: `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'sandbox-owner' })}.${hex(draw, 4)}`,
  };
}
