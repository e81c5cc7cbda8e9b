// `test`: one real delivery through each channel, without the routes; recorded like any delivery.
import * as z from 'zod';
import { type Delivery, NO_RETRIES, type Outcome, newDelivery } from '../../model/delivery/delivery.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { deliveryIdOf, notificationIdOf, threadKeyOf } from '../../model/ids.ts';
import type { Place } from '../../model/session/place.ts';
import type { Lease } from '../../store/contract.ts';
import { newId } from '../../ipc/id.ts';
import { callerSchema } from './caller-terminal.ts';
import { openNotification } from '../../decisions/new-rows.ts';
import { testContent } from '../channels/test-content.ts';
import { type CommandHandler, assertChannels, type CommandContext, parseArgs } from './context.ts';

const schema = z.object({ channels: z.array(z.string()).default([]), ...callerSchema });

/** Longer than any channel's own limit: after a crash the worker sends it, ms. */
const LEASE = 60_000;

/** Answers with the outcome of each channel. */
export const test: CommandHandler = async (given, parts) => {
  const { channels, caller } = parseArgs(schema, given);

  const known = parts.liveConfig.config().channels.map(({ name }) => name);
  assertChannels(channels, parts);
  const names = channels.length > 0 ? channels : known;
  if (names.length === 0) throw new UserError('no channels: add one to config.toml', EXIT.notFound);
  return { results: await Promise.all(names.map((name) => testOne(name, caller, parts))) };
};

async function testOne(channel: string, place: Place | null, parts: CommandContext): Promise<Record<string, unknown>> {
  const { clock, deliveries } = parts;
  const at = clock.now();
  const { event, content } = testContent(channel, newId(at), at, place);
  const token = newId(at);
  const delivery: Delivery = {
    id: deliveryIdOf(event.id, channel),
    notificationId: notificationIdOf(event.id),
    eventId: event.id,
    channel,
    threadKey: threadKeyOf(event),
    content,
    ...newDelivery(at),
    state: 'leased',
    token,
    due: at + LEASE,
  };
  await parts.deciding.writer.write(async () => ({
    entryId: event.id,
    at,
    events: [
      { event, fingerprint: null, verdicts: [{ stage: 'test', verdict: 'route', note: `${channel}: sent directly` }] },
    ],
    // A test waits for nobody.
    notifications: [
      { ...openNotification(event, content.title, null, at), state: 'resolved', resolved: { at, why: 'a test' } },
    ],
    deliveries: [delivery],
  }));
  const outcome = (await deliveries.sendDirect(channel, delivery.id, content, 'test')) ?? NO_CHANNEL;
  const ms = clock.now() - at;
  await record({ id: delivery.id, token }, outcome, at, ms, parts);
  const trouble = outcome.ok ? { reason: null, error: null } : { reason: outcome.reason, error: outcome.error };
  return {
    channel,
    ok: outcome.ok,
    ms,
    event_id: event.id,
    status: outcome.status ?? null,
    answer: outcome.answer ?? null,
    ...trouble,
  };
}

const NO_CHANNEL: Outcome = { ok: false, reason: 'invalid-config', error: 'the settings just changed: try again' };

async function record(
  lease: Lease,
  outcome: Outcome,
  at: number,
  ms: number,
  { store }: CommandContext,
): Promise<void> {
  const reason = outcome.ok ? null : outcome.reason;
  const error = outcome.ok ? null : outcome.error;
  const attempt = {
    deliveryId: lease.id,
    number: 1,
    at,
    ms,
    ok: outcome.ok,
    reason,
    error,
    answer: outcome.answer ?? null,
    status: outcome.status ?? null,
    next: outcome.ok ? 'sent' : 'dead: a test is not retried',
  };
  const settlement = {
    deliveryId: lease.id,
    token: lease.token,
    attempt,
    state: outcome.ok ? 'sent' : 'dead',
    due: at,
    lastReason: reason,
    lastError: error,
    counters: NO_RETRIES,
    ...(outcome.ok ? { receipt: outcome.receipt } : {}),
  } as const;
  await store.settle([settlement]);
}
