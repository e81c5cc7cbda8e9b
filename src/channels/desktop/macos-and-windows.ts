// macOS and Windows: their notifications belong to a session, whose next one takes the place of its last.
import type { OpenChannel, OutgoingMessage } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { asOutcome } from '../shared/operations.ts';
import { toDesktopNotification } from './freedesktop.ts';

const MOST_REMEMBERED = 500;

/** Opens it; node-notifier is loaded when it is first needed. */
export function openByNotifier(sound: boolean, platform: 'darwin' | 'win32'): OpenChannel {
  /** What each session showed last. */
  const last = new Map<string, string>();
  const isReplaced = ({ threadKey, notificationId }: OutgoingMessage): boolean =>
    (last.get(threadKey) ?? notificationId) !== notificationId;

  async function show({ content, threadKey, notificationId }: OutgoingMessage): Promise<Outcome> {
    const note = asOutcome(() => toDesktopNotification(content, sound));
    if ('ok' in note) return note;
    const { showByNotifier } = await import('./node-notifier.ts');
    const outcome = await showByNotifier(note, threadKey, platform);
    if (outcome.ok) {
      last.delete(threadKey);
      last.set(threadKey, notificationId);
    }
    const [oldest] = last.keys();
    if (last.size > MOST_REMEMBERED && oldest !== undefined) last.delete(oldest);
    return outcome.ok ? { ok: true, receipt: { group: threadKey } } : outcome;
  }

  return {
    send: show,
    update: async (message) => (isReplaced(message) ? { ok: true } : show(message)),
    retract: async (message) => {
      if (isReplaced(message)) return { ok: true };
      const { removeByNotifier } = await import('./node-notifier.ts');
      return removeByNotifier(message.threadKey, platform);
    },
    close: async () => last.clear(),
  };
}
