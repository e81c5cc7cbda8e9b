// What people send to the bot, by getUpdates (core.telegram.org/bots/api, "Getting updates"): Telegram hands each update to one program only.
import * as z from 'zod';
import type { CallBounds } from '../shared/call-bounds.ts';
import { type BotAccess, type Called, callTelegram } from './api.ts';

const person = z.object({ id: z.int(), first_name: z.string().default(''), username: z.string().optional() });
const chat = z.object({ id: z.int(), type: z.string(), title: z.string().optional() });
const message = z.object({
  message_id: z.int(),
  date: z.int(),
  from: person.optional(),
  chat,
  text: z.string().optional(),
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
  reply_to_message: z.object({ message_id: z.int(), from: z.object({ id: z.int() }).optional() }).optional(),
});
const update = z.object({
  update_id: z.int(),
  message: message.optional(),
  callback_query: z
    .object({ id: z.string(), from: person, data: z.string().optional(), message: z.object({ chat }).optional() })
    .optional(),
});
export type TelegramUpdate = z.output<typeof update>;
export type TelegramPerson = z.output<typeof person>;

/** Seconds that Telegram may hold the request open. */
const LONG_POLL = 25;
const MAX_UPDATES = 50;
const ANSWER_BYTES = 1024 * 1024;

/** The next ones, and where to go on; an update that cannot be read is passed over. */
export async function nextUpdates(
  access: BotAccess,
  offset: number,
  bounds: Omit<CallBounds, 'timeout'>,
): Promise<{ readonly updates: readonly TelegramUpdate[]; readonly offset: number } | Extract<Called, { ok: false }>> {
  const params = { offset, limit: MAX_UPDATES, timeout: LONG_POLL, allowed_updates: ['message', 'callback_query'] };
  const called = await callTelegram(access, 'getUpdates', params, {
    ...bounds,
    timeout: (LONG_POLL + 10) * 1_000,
    limit: ANSWER_BYTES,
  });
  if (!called.ok) return called;
  const list = Array.isArray(called.result) ? (called.result as unknown[]) : [];
  const ids = list.flatMap((one) => z.object({ update_id: z.int() }).safeParse(one).data?.update_id ?? []);
  const updates = list.flatMap((one) => update.safeParse(one).data ?? []);
  return { updates, offset: Math.max(offset, ...ids.map((id) => id + 1)) };
}

/** What to do about a 409; null: it is none. */
export function conflictOf({ outcome, description }: Extract<Called, { ok: false }>): string | null {
  if (outcome.status !== 409) return null;
  return /webhook/i.test(description)
    ? 'a webhook is set for this bot, so nothing can be received otherwise: make a bot of its own for Belfry with @BotFather'
    : 'another program already receives what is sent to this bot, and Telegram allows one only: stop it, or make a bot of its own for Belfry with @BotFather';
}
