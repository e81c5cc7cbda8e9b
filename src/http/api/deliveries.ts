// The outbox, and the channels it goes to.
import * as z from 'zod';
import { DELIVERY_STATES, REASONS } from '../../model/delivery/delivery.ts';
import { act, read } from './endpoint.ts';
import { id, list, maybeTime, more, page, time } from './fields.ts';
import { deliveryRow, kind } from './rows.ts';

const channelName = z.object({ name: z.string().min(1).max(200) });
/** What a delivery or a test came to. */
const outcome = () => z.looseObject({ channel: z.string() });

export const deliveries = {
  'deliveries.list': () =>
    read({
      summary: 'Deliveries, the latest first',
      query: z.strictObject({
        ...page,
        state: list(z.enum(DELIVERY_STATES)).optional(),
        channel: z.string().max(200).optional(),
        event: z.string().max(512).optional(),
        kind: list(kind).optional(),
      }),
      result: () => z.object({ deliveries: z.array(deliveryRow()), ...more }),
    }),
  'deliveries.replay': () =>
    act({
      summary: 'Sends one again, such as a dead letter',
      params: z.object({ id }),
      result: () => z.object({ in_progress: z.unknown(), replayed: z.array(outcome()) }),
    }),
  'channels.list': () =>
    read({
      summary: 'The configured channels with their health, quota and last result',
      result: () =>
        z.object({
          channels: z.array(
            z.object({
              name: z.string(),
              type: z.string(),
              audience: z.enum(['people', 'records']),
              can: z
                .array(z.string())
                .meta({ description: 'update, retract, receive, thread, buttons, reply, priority, mirror' }),
              quota: z.string().nullable(),
              state: z.enum(['ok', 'failing']),
              since: maybeTime,
              reason: z.enum(REASONS).nullable(),
              error: z.string().nullable(),
              probe_at: maybeTime,
              paused_until: maybeTime,
              waiting: z.number().meta({ description: 'deliveries queued or paused' }),
              last_attempt: z
                .object({ at: time, ok: z.boolean(), reason: z.string().nullable(), error: z.string().nullable() })
                .nullable(),
            }),
          ),
        }),
    }),
  'channels.test': () =>
    act({
      summary: 'Sends a test notification through one channel',
      params: channelName,
      result: () => outcome(),
    }),
} as const;
