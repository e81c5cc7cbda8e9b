// One try at one delivery: render, send, a limit of time that holds even when the channel forgets its own.
import type { Clock } from '../lib/clock.ts';
import type { OutgoingMessage, SendContext } from '../model/channel.ts';
import type { Outcome } from '../model/delivery.ts';
import type { ConfiguredChannel } from './configured-channel.ts';

/** What a send needs of its surroundings. */
export type AttemptContext = Pick<SendContext, 'env' | 'platform' | 'log'> & { readonly clock: Clock };

/** Ms a channel has beyond its limit to say itself how it ended. */
const GRACE = 1_000;

/** Never throws: a bug of a channel is an outcome too. `cancel` ends it early. */
export async function attempt(
  { channel, settings }: ConfiguredChannel,
  message: OutgoingMessage,
  context: AttemptContext,
  cancel?: AbortSignal,
): Promise<Outcome> {
  const { clock, platform } = context;
  let rendered: unknown;
  try {
    rendered = channel.render(message, settings, { now: clock.now(), platform });
  } catch (error) {
    return { ok: false, reason: 'client', error: `could not be put into this channel's form: ${nameOf(error)}` };
  }
  const limit = new AbortController();
  const late: Outcome = { ok: false, reason: 'timeout', error: `no end after ${channel.limits.timeout / 1_000} s` };
  let end = (): void => undefined;
  const overdue = new Promise<Outcome>((resolve) => (end = () => resolve(late)));
  const cancelled = (): void => {
    limit.abort();
    end();
  };
  cancel?.addEventListener('abort', cancelled, { once: true });
  const alarms = [
    clock.setTimer(channel.limits.timeout, () => limit.abort()),
    clock.setTimer(channel.limits.timeout + GRACE, () => end()),
  ];
  try {
    const { env, log } = context;
    const tools = { signal: limit.signal, now: clock.now, env, platform, log };
    return await Promise.race([channel.send(rendered, message, settings, tools), overdue]);
  } catch (error) {
    return { ok: false, reason: 'network', error: `the channel broke off: ${nameOf(error)}` };
  } finally {
    for (const off of alarms) off();
    cancel?.removeEventListener('abort', cancelled);
  }
}

/** The kind of an error only: its message may hold an address or a secret. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
