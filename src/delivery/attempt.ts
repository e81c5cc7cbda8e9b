// One try at one delivery: render, send, a time limit that holds even when the channel ignores its own, and no secret in what comes of it.
import type { Clock } from '../lib/clock.ts';
import type { OutgoingMessage, SendContext } from '../model/channel.ts';
import type { Outcome } from '../model/delivery.ts';
import { createSecretMask } from '../lib/secret-mask.ts';
import { oneLine } from '../lib/text.ts';
import type { ConfiguredChannel } from './configured-channel.ts';

/** What a send needs from its environment. */
export type AttemptContext = Pick<SendContext, 'env' | 'platform' | 'log'> & { readonly clock: Clock };

/** Ms a channel has beyond its limit to say itself how it ended. */
const GRACE = 1_000;

/** Characters kept of a receiver's answer. */
const ANSWER_LENGTH = 200;

/** Never throws: a bug of a channel is an outcome too. `cancel` ends it early. Neither the outcome nor the log holds a secret of the channel. */
export async function attempt(
  configured: ConfiguredChannel,
  message: OutgoingMessage,
  context: AttemptContext,
  cancel?: AbortSignal,
): Promise<Outcome> {
  const mask = createSecretMask(secretsOf(configured));
  return kept(await send(configured, message, { ...context, log: masked(context.log, mask) }, cancel), mask);
}

async function send(
  { channel, settings }: ConfiguredChannel,
  message: OutgoingMessage,
  context: AttemptContext,
  cancel?: AbortSignal,
): Promise<Outcome> {
  const { clock, platform } = context;
  if (cancel?.aborted) return { ok: false, reason: 'timeout', error: 'cancelled before it was sent' };
  let rendered: unknown;
  try {
    rendered = channel.render(message, settings, { now: clock.now(), platform });
  } catch (error) {
    return { ok: false, reason: 'client', error: `could not be put into this channel's form: ${nameOf(error)}` };
  }
  const limit = new AbortController();
  const late: Outcome = {
    ok: false,
    reason: 'timeout',
    error: `no end after ${channel.limits.timeout / 1_000} s; it may have arrived all the same`,
    unknown: true,
  };
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

type Mask = (text: string) => string;

/** What its schema calls a secret, and every address: a path or a query may be one. */
function secretsOf({ channel, settings }: ConfiguredChannel): readonly string[] {
  if (typeof settings !== 'object' || settings === null) return [];
  return Object.entries(settings).flatMap(([key, value]) =>
    typeof value === 'string' && (channel.secrets.includes(key) || URL.canParse(value)) ? [value] : [],
  );
}

/** Masked while it is whole, or the beginning of a secret would be left where it is cut; and once more, when nothing stands between its letters. */
function kept(outcome: Outcome, mask: Mask): Outcome {
  const answer =
    outcome.answer === undefined ? {} : { answer: mask(oneLine(mask(outcome.answer))).slice(0, ANSWER_LENGTH) };
  return outcome.ok ? { ...outcome, ...answer } : { ...outcome, error: mask(outcome.error), ...answer };
}

function masked(log: SendContext['log'], mask: Mask): SendContext['log'] {
  return (message, fields = {}) => {
    const safe = Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? mask(value) : value]);
    log(mask(message), Object.fromEntries(safe));
  };
}
