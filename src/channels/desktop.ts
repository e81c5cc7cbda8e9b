// Desktop: a notification on the screen of the machine the daemon runs on.
import * as z from 'zod';
import { defineChannel } from '../model/channel.ts';
import { type Note, noteOf } from './desktop/freedesktop.ts';

const schema = z.strictObject({
  sound: z.boolean().default(false).describe('Play the system sound.'),
});
type Settings = z.output<typeof schema>;

export const desktop = defineChannel<Settings, Note>({
  type: 'desktop',
  schema,
  secrets: [],
  // Longer than a start of the server, its questions and its answer may take together.
  limits: { concurrency: 1, spacing: 0, timeout: 25_000 },
  render: ({ notification }, settings) => noteOf(notification, settings.sound),
  send: async (note, { id: deliveryId, sessionKey }, _settings, tools) => {
    // The systems' parts are loaded when first needed: a daemon without a desktop pays for none.
    if (tools.platform === 'darwin' || tools.platform === 'win32') {
      const { show } = await import('./desktop/node-notifier.ts');
      return show(note, sessionKey, tools.platform);
    }
    const { show } = await import('./desktop/linux.ts');
    return show({ note, deliveryId, sessionKey }, tools);
  },
  check: async (_settings, tools) => {
    if (tools.platform === 'darwin') return [{ level: 'ok', text: 'notifications go to the Notification Center' }];
    if (tools.platform === 'win32') return [{ level: 'ok', text: 'notifications are shown as toasts' }];
    const { inspect } = await import('./desktop/linux.ts');
    return [await inspect(tools)];
  },
  unconfigured: { sound: false },
  docs: {
    summary: 'A notification on this machine: D-Bus on Linux, Notification Center on macOS, toasts on Windows',
    example: 'type = "desktop"\nsound = true',
  },
});
