// `ack`: acknowledges notifications: some, all that are open, or the one sent last.
import * as z from 'zod';
import { EXIT, UserError } from '../../model/errors.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { Notification } from '../../model/notification/notification.ts';
import { COMMAND_LINE, resolutionOf } from '../../model/notification/resolution.ts';
import type { Store } from '../../store/contract.ts';
import { acknowledge, type Acknowledged } from '../../decisions/acknowledge.ts';
import { type CommandContext, type CommandHandler, parseArgs } from './context.ts';

const schema = z.union([
  z.object({ ids: z.array(z.string()).min(1).max(10_000) }),
  z.object({ all: z.literal(true) }),
  z.object({ latest: z.literal(true) }),
]);

/** Open ones looked at for the latest, and taken at once for all. */
const MOST_LOOKED_AT = 50;
const MAX_NOTIFICATIONS = 10_000;

/** The answer; field names are stable. */
export interface AckAnswer {
  readonly notifications: readonly {
    readonly id: string;
    readonly event_id: string | null;
    readonly title: string;
    /** already: it was not open any more. */
    readonly result: Acknowledged['result'];
    readonly state: Notification['state'];
    /** Who acknowledged it, or how it was resolved; null: it expired. */
    readonly why: string | null;
    /** ISO 8601 of that. */
    readonly at: string | null;
  }[];
}

/** Answers with each notification as it stands now. The socket is the user's own, so it was this user. */
export const ack: CommandHandler = async (given, parts): Promise<AckAnswer> => {
  const args = parseArgs(schema, given);
  const ids = 'ids' in args ? args.ids : 'all' in args ? await allOpen(parts.store) : [await latestSent(parts.store)];
  const notifications = [];
  for (const id of new Set(ids)) notifications.push(answerOf(await acknowledgeOne(id, parts)));
  return { notifications };
};

async function acknowledgeOne(id: string, parts: CommandContext): Promise<Acknowledged> {
  const done = await acknowledge(id, { by: HERE.user, via: COMMAND_LINE }, parts.deciding);
  if (done === null) throw new UserError(`there is no notification ${id}`, EXIT.notFound);
  return done;
}

async function allOpen(store: Store): Promise<readonly string[]> {
  return (await store.notifications({ states: ['open'], limit: MAX_NOTIFICATIONS })).map(({ id }) => id);
}

/** One that was sent goes before one that is only planned. */
async function latestSent(store: Store): Promise<string> {
  const found = (await store.notifications({ states: ['open'], limit: MOST_LOOKED_AT })).toReversed();
  const open = found.map(({ id }) => id);
  // Its group or digest is what people have seen.
  const within = new Set(found.filter(({ inGroup = '' }) => open.includes(inGroup)).map(({ id }) => id));
  const rows = await store.deliveryProgress(open);
  const out = new Set(
    rows.filter(({ state, scheduled }) => state !== 'cancelled' && !scheduled).map((row) => row.notificationId),
  );
  const latest = open.find((id) => out.has(id) && !within.has(id)) ?? open[0];
  if (latest === undefined) throw new UserError('no notification is open: nothing to acknowledge', EXIT.notFound);
  return latest;
}

function answerOf({ result, notification }: Acknowledged): AckAnswer['notifications'][number] {
  const { id, eventIds, title, state } = notification;
  const resolution = resolutionOf(notification);
  return {
    id,
    event_id: eventIds[0] ?? null,
    title,
    result,
    state,
    why: resolution?.why ?? null,
    at: resolution === null ? null : new Date(resolution.at).toISOString(),
  };
}
