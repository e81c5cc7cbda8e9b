// Everything the service offers, in one table: resource, then method.
import { analytics } from './analytics.ts';
import { computers } from './computers.ts';
import type { Endpoint } from './endpoint.ts';
import { enterpriseControls } from './enterprise-controls.ts';
import { messages } from './messages.ts';
import { readinessReports } from './readiness-reports.ts';
import { sessions } from './sessions.ts';
import { usageLimits } from './usage-limits.ts';

/** The whole service. A new endpoint is one entry in its resource's file. */
export const contract = {
  analytics,
  readinessReports,
  enterpriseControls,
  computers,
  sessions: { ...sessions, ...messages },
  usageLimits,
} satisfies Record<string, Record<string, Endpoint>>;

/** The type of the table. */
export type Contract = typeof contract;

/** One endpoint with its place in the table. */
export interface Entry {
  readonly resource: string;
  readonly method: string;
  readonly endpoint: Endpoint;
}

/** The table as a list, in its order. */
export const entries: readonly Entry[] = Object.entries(contract).flatMap(([resource, methods]) =>
  Object.entries<Endpoint>(methods).map(([method, endpoint]) => ({ resource, method, endpoint })),
);
