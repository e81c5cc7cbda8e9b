// macOS and Windows: node-notifier's own programs (terminal-notifier, SnoreToast), started by argument list and never by a shell.
import type { Outcome } from '../../model/delivery/delivery.ts';
import type { DesktopNotification } from './freedesktop.ts';

/** Options of node-notifier; title, message and grouping, named as each system does. */
export type NotifierOptions = Readonly<Record<string, string | boolean | number>>;

/** Options for macOS. `group`: a later one of the same session replaces the earlier. `timeout: false`: not to stay as a process. */
export function macOptions(note: DesktopNotification, threadKey: string): NotifierOptions {
  return {
    title: note.summary,
    message: note.body || ' ', // the program refuses an empty one
    group: threadKey,
    ...(note.sound ? { sound: true } : {}),
    wait: false,
    timeout: false,
  };
}

/** Options for Windows. `id` replaces an earlier toast of the same session. */
export function windowsOptions(note: DesktopNotification, threadKey: string): NotifierOptions {
  return { title: note.summary, message: note.body || ' ', id: toastId(threadKey), sound: note.sound, wait: false };
}

/** Toast ids are numbers; a 31-bit hash of the session. */
function toastId(threadKey: string): number {
  let hash = 0;
  for (const char of threadKey) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) & 0x7fffffff;
  return hash;
}

/** Options that take the session's notification away. */
export function removeOptions(threadKey: string, platform: 'darwin' | 'win32'): NotifierOptions {
  return platform === 'darwin'
    ? { remove: threadKey, wait: false, timeout: false }
    : { close: toastId(threadKey), wait: false };
}

interface Notifier {
  notify(options: NotifierOptions, done: (error: unknown) => void): unknown;
}

/** Ms without a complaint after which it counts as shown: the programs stay until the notification is gone. */
const LIMIT = 2_000;

/** Shows a notification with this system's program. */
export function showByNotifier(
  note: DesktopNotification,
  threadKey: string,
  platform: 'darwin' | 'win32',
): Promise<Outcome> {
  return runWith((platform === 'darwin' ? macOptions : windowsOptions)(note, threadKey), platform);
}

/** Takes the session's notification away. */
export function removeByNotifier(threadKey: string, platform: 'darwin' | 'win32'): Promise<Outcome> {
  return runWith(removeOptions(threadKey, platform), platform);
}

async function runWith(options: NotifierOptions, platform: 'darwin' | 'win32'): Promise<Outcome> {
  try {
    return await runNotifier(await loadNotifier(platform), options);
  } catch {
    return {
      ok: false,
      reason: 'invalid-config',
      error: "the system's notification program is missing; install belfry again",
    };
  }
}

/** Starts the program through `notifier`; throws what that throws. */
export function runNotifier(notifier: Notifier, options: NotifierOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const timer = setTimeout(() => settle({ ok: true }), LIMIT);
    const refused = 'the system did not show the notification; allow notifications in the system settings';
    try {
      notifier.notify(options, (error) =>
        settle(error ? { ok: false, reason: 'client', error: refused } : { ok: true }),
      );
    } catch (error) {
      clearTimeout(timer);
      reject(error);
    }
  });
}

async function loadNotifier(platform: 'darwin' | 'win32'): Promise<Notifier> {
  // @ts-expect-error -- the package brings no types; its two classes are used as written here
  const { default: all } = (await import('node-notifier')) as {
    default: Record<'NotificationCenter' | 'WindowsToaster', new (options: { withFallback: boolean }) => Notifier>;
  };
  return new all[platform === 'darwin' ? 'NotificationCenter' : 'WindowsToaster']({ withFallback: false });
}
