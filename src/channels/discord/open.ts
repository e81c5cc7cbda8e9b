// A Discord webhook at work: creates, changes and deletes its messages, and keeps a session's in one thread.
import { isObject } from '../../lib/json/json.ts';
import type { ChannelTools, OpenChannel, OutgoingMessage, SendContext } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { createOperations } from '../shared/operations.ts';
import { CODES, snowflake } from './response-outcome.ts';
import { createWebhookClient, type DiscordSettings } from './client.ts';
import { changedMessage, newMessage, threadName } from './message.ts';

/** Where a message is. */
interface Receipt {
  readonly id: string;
  readonly thread: string | null;
}

/** Sessions whose threads are remembered; the one that was used longest ago goes first. */
const MOST_THREADS = 1_000;

/** The session's thread cannot be posted to any more: the next message opens another. */
const THREAD_LOST: readonly (number | null)[] = [CODES.unknownChannel, CODES.threadLocked];

const GONE: Outcome = { ok: true, answer: 'it was gone already' };

/** Connects to nothing yet. */
export function openDiscord(settings: DiscordSettings, tools: ChannelTools): OpenChannel {
  const running = createOperations();
  /** Null: lost, so an earlier receipt does not count either. */
  const threads = new Map<string, string | null>();
  const ask = createWebhookClient(settings, tools);

  async function post(message: OutgoingMessage, context: SendContext, signal: AbortSignal): Promise<Outcome> {
    const perSession = settings.thread === 'session';
    const thread = perSession ? threadOf(threads, message) : settings.thread;
    const opens = perSession && thread === undefined;
    const body = () => ({ ...newMessage(message), ...(opens ? { thread_name: threadName(message.content) } : {}) });
    const by = { timeoutMs: context.timeoutMs, signal };
    const answer = await ask('POST', thread === undefined ? {} : { thread }, body, by);
    if (perSession && thread !== undefined && THREAD_LOST.includes(answer.code)) {
      remember(threads, message.threadKey, null);
      return post(message, context, signal); // at most once more: it is known to be lost
    }
    if (!answer.outcome.ok || answer.message === null) return answer.outcome;
    const receipt: Receipt = { id: answer.message.id, thread: opens ? answer.message.channel : (thread ?? null) };
    if (perSession && receipt.thread !== null) remember(threads, message.threadKey, receipt.thread);
    return { ...answer.outcome, receipt };
  }

  async function update(message: OutgoingMessage, receipt: Receipt | null, context: SendContext, signal: AbortSignal) {
    const isOver = message.resolution !== null;
    if (receipt === null) return isOver ? GONE : post(message, context, signal);
    const by = { timeoutMs: context.timeoutMs, signal };
    const { outcome, code } = await ask('PATCH', receipt, () => changedMessage(message), by);
    const isLost = settings.thread === 'session' && receipt.thread !== null && THREAD_LOST.includes(code);
    const now = threads.get(message.threadKey) ?? receipt.thread; // another may have taken its place
    if (isLost && now === receipt.thread) remember(threads, message.threadKey, null);
    if (isLost || code === CODES.unknownMessage) return isOver ? GONE : post(message, context, signal); // somebody deleted it
    return outcome.ok ? { ...outcome, receipt } : outcome;
  }

  async function retract(receipt: Receipt | null, context: SendContext, signal: AbortSignal): Promise<Outcome> {
    if (receipt === null) return GONE;
    const by = { timeoutMs: context.timeoutMs, signal };
    const { outcome, code } = await ask('DELETE', receipt, () => undefined, by);
    return code === CODES.unknownMessage || (code === CODES.unknownChannel && receipt.thread !== null) ? GONE : outcome;
  }

  return {
    send: (message, context) => running.run(context.signal, (signal) => post(message, context, signal)),
    update: (message, receipt, context) =>
      running.run(context.signal, (signal) => update(message, readReceipt(receipt), context, signal)),
    retract: (_message, receipt, context) =>
      running.run(context.signal, (signal) => retract(readReceipt(receipt), context, signal)),
    close: running.close,
  };
}

/** The session's, as it is remembered, or else by what was sent before this instance was opened. */
function threadOf(threads: ReadonlyMap<string, string | null>, { threadKey, threadReceipt }: OutgoingMessage) {
  const known = threads.get(threadKey);
  return (known === undefined ? readReceipt(threadReceipt)?.thread : known) ?? undefined;
}

function remember(threads: Map<string, string | null>, key: string, thread: string | null): void {
  threads.delete(key);
  threads.set(key, thread);
  const [oldest] = threads.keys();
  if (threads.size > MOST_THREADS && oldest !== undefined) threads.delete(oldest);
}

function readReceipt(receipt: unknown): Receipt | null {
  if (!isObject(receipt)) return null;
  const id = snowflake(receipt['id']);
  return id === null ? null : { id, thread: snowflake(receipt['thread']) };
}
