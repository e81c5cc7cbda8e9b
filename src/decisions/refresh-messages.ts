// Changes messages that went out already, because what they show has changed.
import { NOT_OVER } from '../model/notification/notification.ts';
import { type ChannelFacts, notificationFacts } from '../dispatch/notification-facts.ts';
import type { DecidingDeps } from './deciding-deps.ts';
import type { Plan } from './writer.ts';

/** Whether a message needs the change, which was made or is being sent. `isOver`: its notification is, of which the message tells since. */
export type Needs = (message: ChannelFacts & { readonly notificationId: string; readonly isOver: boolean }) => boolean;

/** Plans an update of each of a notification's messages that need it. */
export async function refreshMessages(id: string, needs: Needs, deps: DecidingDeps): Promise<void> {
  await deps.writer.write(() => updates(id, needs, deps), `notification ${id}`);
}

/** Null: nothing was shown that has to change. */
async function updates(
  id: string,
  needs: Needs,
  { store, now }: Pick<DecidingDeps, 'store' | 'now'>,
): Promise<Plan | null> {
  const notification = await store.notification(id);
  if (notification === null) return null;
  const isOver = !NOT_OVER.some((state) => state === notification.state);
  const rows = await store.deliveryProgress([id]);
  const facts = notificationFacts(notification, null, rows);
  // An update that still waits shows the message as it is when it goes out.
  const waits = ({ channel, step }: ChannelFacts): boolean =>
    rows.some(
      (row) => row.channel === channel && row.step === step && row.operation === 'update' && row.state === 'pending',
    );
  // One whose send still waits is made when it is sent.
  const shown = facts.channels.filter(
    (message) =>
      !message.retracted &&
      (message.sends === 'sent' || message.sends === 'leased') &&
      needs({ ...message, notificationId: id, isOver }) &&
      !waits(message),
  );
  if (shown.length === 0) return null;
  const at = now();
  const revision = 1 + Math.max(notification.revision, ...facts.channels.map((channel) => channel.revision));
  const plan = shown.map(({ channel, step }) => ({
    ...({ channel, step, revision, operation: 'update', due: at, unless: 'none', only: 'always' } as const),
    reason: 'its question has changed',
  }));
  const changed = [{ notification: { ...notification, revision, updatedAt: at }, plan }];
  return { entryId: `question:${id}:${notification.version}`, at, changed };
}
