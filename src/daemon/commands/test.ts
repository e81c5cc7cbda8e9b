// `test`: one real delivery through each channel, without the routes; recorded like any delivery.
import * as z from 'zod';
import { type Delivery, NO_RETRIES, type Outcome, newDelivery } from '../../model/delivery.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { sessionKey } from '../../model/event.ts';
import { newId } from '../../ipc/id.ts';
import { deliveryId } from '../build-deliveries.ts';
import { internalEvent } from '../../model/internal-event.ts';
import { type CommandHandler, assertChannels, type CommandContext, parseArgs } from './context.ts';

const schema = z.object({ channels: z.array(z.string()).default([]) });

/** Longer than any channel's own limit: after a crash the worker sends it, ms. */
const LEASE = 60_000;

/** Answers with the outcome of each channel. */
export const test: CommandHandler = async (given, parts) => {
  const { channels } = parseArgs(schema, given);
  const known = parts.liveConfig.config().channels.map(({ name }) => name);
  assertChannels(channels, parts);
  const names = channels.length > 0 ? channels : known;
  if (names.length === 0) throw new UserError('no channels: add one to config.toml', EXIT.notFound);
  return { results: await Promise.all(names.map((name) => testOne(name, parts))) };
};

async function testOne(channel: string, parts: CommandContext): Promise<Record<string, unknown>> {
  const { store, clock, deliveries } = parts;
  const at = clock.now();
  const words = { title: 'belfry test', body: `This is what a notification on ${channel} looks like.` };
  const event = internalEvent({ id: newId(at), kind: 'test', at, words });
  const notification = {
    ...words,
    urgency: event.urgency,
    abnormal: false,
    count: 1,
    event,
    context: { messages: [] },
  };
  const delivery: Delivery = {
    id: deliveryId(event.id, channel),
    eventId: event.id,
    channel,
    sessionKey: sessionKey(event),
    notification,
    ...newDelivery(at),
    state: 'leased',
    due: at + LEASE,
  };
  await store.commitDecision({
    entryId: event.id,
    at,
    events: [
      { event, fingerprint: null, verdicts: [{ stage: 'test', verdict: 'to', note: `${channel}: sent directly` }] },
    ],
    deliveries: [delivery],
    timers: { set: [], clear: [] },
    sessions: [],
  });
  const outcome = (await deliveries.sendDirect(channel, delivery.id, notification, 'test')) ?? NO_CHANNEL;
  const ms = clock.now() - at;
  await record(delivery.id, outcome, at, ms, parts);
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
  deliveryId: string,
  outcome: Outcome,
  at: number,
  ms: number,
  { store }: CommandContext,
): Promise<void> {
  const reason = outcome.ok ? null : outcome.reason;
  const error = outcome.ok ? null : outcome.error;
  const attempt = {
    deliveryId,
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
  await store.settle(deliveryId, {
    attempt,
    state: outcome.ok ? 'sent' : 'dead',
    due: at,
    lastReason: reason,
    lastError: error,
    counters: NO_RETRIES,
  });
}
