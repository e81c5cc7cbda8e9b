// What one hold has held back, by channel: what its digest is made of, and the further steps that follow it.
import type { Config } from '../model/config.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Notification, NotificationContent } from '../model/notification.ts';
import { digestContent, firstNotified, type HeldMember, QUIET } from '../pipeline/index.ts';
import { atLevel } from '../redaction/index.ts';
import type { StoreReader } from '../store/contract.ts';
import { channelProfiles } from './channel-profiles.ts';

/** Most deliveries of one digest; those beyond come in another. */
const MOST = 1_000;

/** What is held for one channel, oldest first. */
export interface HeldChannel {
  readonly channel: string;
  readonly rows: readonly Delivery[];
  /** Further steps of what nobody was notified yet, at their new times: they follow the digest. */
  readonly later: readonly Delivery[];
  /** Null: nothing of it is open any more. */
  readonly content: NotificationContent | null;
}

const heldName = (hold: string): 'quiet' | 'mute' => (hold === QUIET ? 'quiet' : 'mute');

/** Of each notification with steps held here: when people were notified, Unix ms; null: nobody was yet. One that is missing needs no step any more. */
async function notifiedTimes(
  rows: readonly Delivery[],
  store: Pick<StoreReader, 'deliveries'>,
  config: Config,
  now: number,
): Promise<ReadonlyMap<string, number | null>> {
  const profiles = channelProfiles(config);
  const isForPeople = (channel: string): boolean => profiles.get(channel)?.audience === 'people';
  const found = new Map<string, number | null>();
  for (const notificationId of new Set(rows.flatMap((row) => (row.step > 0 ? [row.notificationId] : [])))) {
    const sends = await store.deliveries({ notificationId, operations: ['send'], limit: MOST });
    const notified = firstNotified(sends, { isForPeople, now });
    if (notified !== undefined && !sends.some(isLaterSent)) found.set(notificationId, notified);
  }
  return found;
}

const isLaterSent = ({ step, state }: Delivery): boolean => step > 0 && state === 'sent';

/** What one hold has held back so far, by channel. `now`: Unix ms. */
export async function heldChannels(
  hold: string,
  store: Pick<StoreReader, 'deliveries' | 'notification'>,
  config: Config,
  now: number,
): Promise<readonly HeldChannel[]> {
  const rows = await store.deliveries({ heldBy: hold, states: ['pending'], limit: MOST, fromOldest: true });
  const states = new Map<string, Notification['state']>();
  for (const id of new Set(rows.map(({ notificationId }) => notificationId)))
    states.set(id, (await store.notification(id))?.state ?? 'expired');
  const notified = await notifiedTimes(rows, store, config, now);
  const dueOf = ({ step, notificationId, content }: Delivery): number | null => {
    const at = notified.get(notificationId);
    if (step === 0 || at === undefined || content.after === undefined) return null;
    return at === null || at + content.after > now ? (at ?? now) + content.after : null;
  };
  return [...new Set(rows.map(({ channel }) => channel))].map((channel) => {
    const here = rows.filter((row) => row.channel === channel);
    const own = here.filter((row) => dueOf(row) === null);
    const later = here.flatMap((row) => {
      const due = dueOf(row);
      return due === null ? [] : [{ ...row, due }];
    });
    const members = own.map(({ content, notificationId, unless }): HeldMember => {
      // A record gets everything, whatever became of it.
      const state = unless === 'none' ? 'open' : (states.get(notificationId) ?? 'expired');
      return { event: content.event, title: content.title, state };
    });
    const content = digestContent(members, heldName(hold), now);
    const level = config.channels.find(({ name }) => name === channel)?.level ?? config.redaction.level;
    return { channel, rows: own, later, content: content === null ? null : atLevel(content, level) };
  });
}
