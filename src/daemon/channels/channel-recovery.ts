// Resolves what Belfry says of itself once it is over: that a channel is failing, when it accepts again; that config.toml is invalid, when it is read well.
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import { resolveNotice } from '../../decisions/resolve-notification.ts';
import type { Kind } from '../../model/event/event.ts';
import { NOT_OVER, type Notification } from '../../model/notification/notification.ts';
import { formatDuration } from '../../model/quantities.ts';
import { ALL, type ChannelHealth, type Decision, type Store } from '../../store/contract.ts';

interface ChannelRecoveryDeps {
  readonly store: Store;
  readonly deciding: DecidingDeps;
  /** Whether the settings file, as it was read last, is in force. */
  readonly isValid: () => boolean;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Follows the channels' health. */
export interface ChannelRecovery {
  /** The store's `setHealth`, which also notices that a channel recovers. */
  setHealth(health: ChannelHealth): Promise<void>;
  /** A notice may be decided after its channel has recovered. Returns at once. */
  decided(decision: Pick<Decision, 'notifications'>): void;
  /** Resolves the notices of all that is well; after a start, a recovery, and when settings were read. Never rejects. */
  reconcile(): Promise<void>;
  /** Waits for what is being written. */
  stop(): Promise<void>;
}

/** What Belfry tells of itself, and takes back when it is over. */
const NOTICES: readonly Kind[] = ['channel.failing', 'settings.broken'];
const isNotice = ({ kind }: Notification): boolean => NOTICES.includes(kind);

/** For people; `now`: Unix ms. */
function whyOver({ kind, createdAt }: Notification, now: number): string {
  const what = kind === 'settings.broken' ? 'config.toml is valid again' : 'it accepts deliveries again';
  return `${what}, after ${formatDuration(now - createdAt)}`;
}

/** Nothing is known of any channel at first. */
export function createChannelRecovery(deps: ChannelRecoveryDeps): ChannelRecovery {
  const { store, log } = deps;
  const well = new Set<string>();
  let reconciling: Promise<void> = Promise.resolve();

  async function resolveAll(): Promise<void> {
    const notices = await store.notifications({ states: NOT_OVER, kinds: NOTICES, limit: ALL });
    if (notices.length === 0) return;
    const failing = new Set((await store.health()).filter(({ state }) => state === 'failing').map((h) => h.channel));
    const isOver = async ({ kind, eventIds }: Notification): Promise<boolean> => {
      if (kind === 'settings.broken') return deps.isValid();
      const stored = await store.event(eventIds[0] ?? '');
      return stored !== null && !failing.has(String(stored.event.attributes['channel']));
    };
    for (const notice of notices) {
      if (!(await isOver(notice))) continue;
      await resolveNotice(notice.id, whyOver, deps.deciding);
    }
  }

  /** One after the other: two at a time would only be in conflict. */
  function reconcile(): Promise<void> {
    reconciling = reconciling
      .then(resolveAll)
      .catch((error: unknown) => log('a notice of what is over could not be resolved', { error: String(error) }));
    return reconciling;
  }

  return {
    setHealth: async (health) => {
      await store.setHealth(health);
      const { channel, state } = health;
      if (state === 'failing') well.delete(channel);
      if (state === 'failing' || well.has(channel)) return;
      well.add(channel);
      await reconcile();
    },
    decided: ({ notifications }) => {
      if (notifications.some((notice) => isNotice(notice) && notice.state === 'open')) void reconcile(); // never rejects; awaited by stop
    },
    reconcile,
    stop: () => reconciling,
  };
}
