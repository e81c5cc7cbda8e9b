// The settings in force while the daemon runs: a change of the file takes effect, a broken one leaves the old in force.
import type { Config } from '../model/config.ts';
import { type Broken, brokenOf, type First, type Origin } from './first.ts';
import { keepLastGood } from './last-good.ts';
import { readConfig } from './load.ts';
import { watchFile } from './watch-file.ts';

/** Settings that follow their file. */
export interface Living {
  readonly config: () => Config;
  readonly origin: () => Origin;
  /** Null: the file holds, or there is none. */
  readonly broken: () => Broken | null;
  /** Reads the file now; resolves when what it says is in force. */
  reload(): Promise<void>;
  /** Follows no more; resolves when what it was writing is written. */
  close(): Promise<void>;
}

/** What a change of the file leads to. */
export interface Listeners {
  /** New settings are in force. */
  readonly changed: (config: Config) => void;
  /** The file broke; told once for each broken text, and not for the one the daemon started beside. */
  readonly broke: (broken: Broken) => void;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly now: () => number;
}

/** Follows `file` from the settings the daemon started with; good ones are copied into `state`. No listener is called before it returns. */
export function followSettings(file: string, state: string, first: First, listeners: Listeners): Living {
  let { config, origin, broken, text } = first;
  let reading: Promise<void> = Promise.resolve();

  const keep = (): Promise<void> =>
    keepLastGood(state, text).catch((error: unknown) =>
      listeners.log('the last good settings cannot be kept', { error: String(error) }),
    );

  async function read(): Promise<void> {
    const loaded = await readConfig(file);
    if (!loaded.ok) {
      const now = brokenOf(file, loaded.mistakes, broken?.since ?? listeners.now());
      const told = broken?.line === now.line;
      broken = now;
      if (told) return;
      listeners.log('the settings file is broken, the old settings stay in force', { at: now.line });
      listeners.broke(now);
      return;
    }
    const same = loaded.text === text && origin !== 'last good';
    if (same && broken === null) return;
    broken = null;
    ({ config, text } = loaded);
    origin = text === null ? 'defaults' : 'file';
    await keep();
    listeners.log('new settings are in force', { origin });
    for (const warning of loaded.warnings) listeners.log('settings warning', { key: warning.key, line: warning.line });
    listeners.changed(config);
  }

  const reload = (): Promise<void> => {
    reading = reading.then(read).catch((error: unknown) => {
      listeners.log('the settings file cannot be followed', { error: String(error) });
    });
    return reading;
  };
  if (broken === null) reading = keep();
  const watcher = watchFile(file, () => void reload());
  const close = (): Promise<void> => {
    watcher.close();
    return reading;
  };
  return { config: () => config, origin: () => origin, broken: () => broken, reload, close };
}
