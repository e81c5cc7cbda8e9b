// Desktop: a notification on the screen of the machine the daemon runs on.
import * as z from 'zod';
import { defineChannel, type OutgoingMessage } from '../model/channel/channel.ts';
import { createAnswers } from './desktop/button-listeners.ts';
import { toDesktopNotification } from './desktop/freedesktop.ts';
import type { LinuxDesktop } from './desktop/linux.ts';
import { openByNotifier } from './desktop/macos-and-windows.ts';
import { readReceipt } from './desktop/shown-ids.ts';
import { asOutcome } from './shared/operations.ts';

const schema = z.strictObject({
  sound: z.boolean().default(false).describe('Play the system sound.'),
});

export const desktop = defineChannel({
  type: 'desktop',
  schema,
  audience: 'people',
  capabilities: { update: true, retract: true, receive: true, thread: true, buttons: true, priority: true },
  answeredWhere: 'on the desktop',
  onResolved: 'remove',
  // Longer than a start of the server, its questions and its answer may take together.
  limits: () => ({ concurrency: 1, minIntervalMs: 0, timeoutMs: 24_000 }),
  open: ({ sound }, tools) => {
    const { platform } = tools;
    const answers = createAnswers();
    if (platform === 'darwin' || platform === 'win32')
      return { ...openByNotifier(sound, platform), receive: answers.receive }; // no buttons there
    // The systems' parts are loaded when first needed: a daemon without a desktop pays for none.
    let loaded: Promise<LinuxDesktop> | null = null;
    const linux = (): Promise<LinuxDesktop> =>
      (loaded ??= import('./desktop/linux.ts').then(({ createLinuxDesktop }) =>
        createLinuxDesktop(tools, { pressed, replied }),
      ));
    const failed = (error: unknown): void =>
      tools.log('desktop: an answer could not be taken', { error: String(error) });
    const pressed = (key: string): void => void answers.give(key, null, tools.now()).catch(failed);
    // The notification is gone once something was written in it: what became of the text is said in another one.
    const reply = async (key: string | null, text: string): Promise<void> => {
      const line = key === null ? null : await answers.give(key, text, tools.now());
      await (await linux()).tell(line ?? 'Nothing takes your text any more: answer at the terminal.');
    };
    const replied = (key: string | null, text: string): void => void reply(key, text).catch(failed);
    const toShow = async (message: OutgoingMessage) => {
      const { withButtons } = await import('./desktop/buttons.ts');
      return asOutcome(() => {
        const { id: deliveryId, notificationId, threadKey, content } = message;
        const note = toDesktopNotification(content, sound);
        return {
          note,
          withButtons: withButtons(message, note.body, false),
          withReply: withButtons(message, note.body, true),
          deliveryId,
          notificationId,
          threadKey,
          changes: null,
        };
      });
    };
    return {
      send: async (message, context) => {
        const what = await toShow(message);
        return 'ok' in what ? what : (await linux()).show(what, context);
      },
      update: async (message, receipt, context) => {
        const what = await toShow(message);
        return 'ok' in what
          ? what
          : (await linux()).update({ ...what, changes: readReceipt(receipt) }, message.resolution !== null, context);
      },
      retract: async ({ notificationId, threadKey }, receipt, context) =>
        (await linux()).remove({ receipt, notificationId, threadKey }, context),
      receive: async (on, signal, hasOpen) => {
        const ended = answers.receive(on, signal);
        // What a daemon before this one has shown may still be there.
        if (await hasOpen?.()) await (await linux()).listen();
        await ended;
      },
      close: async () => (await loaded)?.close(),
    };
  },
  check: async (_settings, tools) => {
    if (tools.platform === 'darwin') return [{ level: 'ok', text: 'notifications go to the Notification Center' }];
    if (tools.platform === 'win32') return [{ level: 'ok', text: 'notifications are shown as toasts' }];
    const { inspect } = await import('./desktop/linux.ts');
    return [await inspect(tools)];
  },
  defaultSettings: {},
  setup: { intro: ['Notifications are shown on the machine that the daemon runs on.'], questions: [] },
  docs: {
    summary: 'A notification on this machine: D-Bus on Linux, Notification Center on macOS, toasts on Windows',
    example: 'type = "desktop"\nsound = true',
  },
});
