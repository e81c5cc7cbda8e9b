// Desktop: a notification on the screen of the machine the daemon runs on.
import * as z from 'zod';
import { defineChannel } from '../model/channel.ts';
import { type DesktopNotification, toDesktopNotification } from './desktop/freedesktop.ts';

const schema = z.strictObject({
  sound: z.boolean().default(false).describe('Play the system sound.'),
});
type Settings = z.output<typeof schema>;

export const desktop = defineChannel<Settings, DesktopNotification>({
  type: 'desktop',
  schema,
  secrets: [],
  // Longer than a start of the server, its questions and its answer may take together.
  limits: { concurrency: 1, minIntervalMs: 0, timeout: 25_000 },
  render: ({ content }, settings) => toDesktopNotification(content, settings.sound),
  send: async (note, { id: deliveryId, threadKey }, _settings, context) => {
    // The systems' parts are loaded when first needed: a daemon without a desktop pays for none.
    if (context.platform === 'darwin' || context.platform === 'win32') {
      const { showByNotifier } = await import('./desktop/node-notifier.ts');
      return showByNotifier(note, threadKey, context.platform);
    }
    const { showOverDbus } = await import('./desktop/linux.ts');
    return showOverDbus({ note, deliveryId, sessionKey: threadKey }, context);
  },
  check: async (_settings, context) => {
    if (context.platform === 'darwin') return [{ level: 'ok', text: 'notifications go to the Notification Center' }];
    if (context.platform === 'win32') return [{ level: 'ok', text: 'notifications are shown as toasts' }];
    const { inspect } = await import('./desktop/linux.ts');
    return [await inspect(context)];
  },
  defaultSettings: { sound: false },
  docs: {
    summary: 'A notification on this machine: D-Bus on Linux, Notification Center on macOS, toasts on Windows',
    example: 'type = "desktop"\nsound = true',
  },
});
