// Watches the computers: one that turns to `error`, with the failing step, and its recovery (sections 2.9 and 4.4).
import type * as z from 'zod';
import type { Client } from '../../api/index.ts';
import { defineWatch, type Observation } from '../../model/watch/watch.ts';
import { afterInterval, everySchema } from '../../model/watch/poll-interval.ts';

/** Status of each computer at the last poll; `failures` counts its failures, so that each is an occurrence of its own. */
interface Cursor {
  readonly [id: string]: { readonly status: string; readonly failures: number };
}

type Computer = Awaited<ReturnType<Client['computers']['list']>>['computers'][number];

const schema = everySchema(120_000);

/** `[watches.computers]`. */
export const computersWatch = defineWatch<Client, z.output<typeof schema>, Cursor>({
  name: 'computers',
  schema,
  next: afterInterval,
  poll: async ({ client, cursor, now, signal }) => {
    const { computers: all } = await client.computers.list({}, { signal });
    const observations: Observation[] = [];
    const next: Record<string, Cursor[string]> = {};
    for (const computer of all) {
      const status = computer.status ?? 'unknown';
      const before = cursor !== null && Object.hasOwn(cursor, computer.id) ? cursor[computer.id] : undefined;
      const failed = status === 'error' && before?.status !== 'error';
      // A computer that goes back to provisioning has not recovered yet: it counts as failed until it is active.
      const recovered = before?.status === 'error' && status === 'active';
      const failures = (before?.failures ?? 0) + (failed ? 1 : 0);
      next[computer.id] = { status: before?.status === 'error' && !recovered ? 'error' : status, failures };
      if (cursor === null) continue;
      if (failed) observations.push(failure(computer, failures, now));
      if (recovered) observations.push(recovery(computer, failures, now));
    }
    return { observations, cursor: next };
  },
  docs: {
    summary: 'A computer that goes into `error`, with the failing step and its message, and its recovery.',
    example: 'every = "2m"',
  },
});

function failure(computer: Computer, failures: number, now: number): Observation {
  const step = computer.provisioningSteps?.find((entry) => entry.error);
  const last = computer.provisioningSteps?.filter((entry) => entry.startedAt).at(-1);
  const body = step
    ? `${step.name ?? step.id}: ${step.error}`
    : `The service gives no reason${last ? `; the last step was ${last.name ?? last.id}` : ''}.`;
  return {
    ...about(computer, now),
    occurrence: `${computer.id} failed ${failures}`,
    detail: 'failed',
    urgency: 'urgent',
    abnormal: true,
    title: `Computer ${computer.name} failed`,
    body,
  };
}

function recovery(computer: Computer, failures: number, now: number): Observation {
  return {
    ...about(computer, now),
    occurrence: `${computer.id} recovered ${failures}`,
    detail: 'recovered',
    urgency: 'normal',
    abnormal: false,
    title: `Computer ${computer.name} is active again`,
    body: computer.hostname ? `Host ${computer.hostname}` : '',
  };
}

function about(computer: Computer, now: number) {
  return {
    kind: 'computer.failed',
    sessionId: null,
    project: null,
    at: now,
    attributes: { computer_id: computer.id, name: computer.name },
  } as const;
}
