// The settings in force while the daemon runs: a change of the file takes effect, a broken one leaves the old in force.
import type { Config } from '../model/config.ts';
import { type InvalidConfig, invalidConfig, type InitialConfig, type ConfigOrigin } from './initial-load.ts';
import { keepLastGood } from './last-good.ts';
import { readConfig } from './load.ts';
import { watchFile } from './watch-file.ts';

/** Settings that follow their file. */
export interface LiveConfig {
  readonly config: () => Config;
  readonly origin: () => ConfigOrigin;
  /** Null: the file holds, or there is none. */
  readonly invalid: () => InvalidConfig | null;
  /** Reads the file now; resolves when what it says is in force. */
  reload(): Promise<void>;
  /** Follows no more; resolves when what it was writing is written. */
  close(): Promise<void>;
}

/** What a change of the file leads to. */
export interface ConfigListeners {
  /** New settings are in force. */
  readonly onChange: (config: Config) => void;
  /** The file broke; reported once for each broken text, and not for the one the daemon started beside. */
  readonly onInvalid: (invalid: InvalidConfig) => void;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly now: () => number;
}

/** Follows `file` from the settings the daemon started with; good ones are copied into `state`. No listener is called before it returns. */
export function watchConfig(file: string, state: string, first: InitialConfig, listeners: ConfigListeners): LiveConfig {
  let { config, origin, invalid, text } = first;
  let reading: Promise<void> = Promise.resolve();

  const keep = (): Promise<void> =>
    keepLastGood(state, text).catch((error: unknown) =>
      listeners.log('the last good settings cannot be kept', { error: String(error) }),
    );

  async function read(): Promise<void> {
    const loaded = await readConfig(file);
    if (!loaded.ok) {
      const now = invalidConfig(file, loaded.diagnostics, invalid?.since ?? listeners.now());
      const reported = invalid?.line === now.line;
      invalid = now;
      if (reported) return;
      listeners.log('the settings file is broken, the old settings stay in force', { at: now.line });
      listeners.onInvalid(now);
      return;
    }
    const same = loaded.text === text && origin !== 'last good';
    if (same && invalid === null) return;
    invalid = null;
    ({ config, text } = loaded);
    origin = text === null ? 'defaults' : 'file';
    await keep();
    listeners.log('new settings are in force', { origin });
    for (const warning of loaded.warnings) listeners.log('settings warning', { key: warning.key, line: warning.line });
    listeners.onChange(config);
  }

  const reload = (): Promise<void> => {
    reading = reading.then(read).catch((error: unknown) => {
      listeners.log('the settings file cannot be followed', { error: String(error) });
    });
    return reading;
  };
  if (invalid === null) reading = keep();
  const watcher = watchFile(file, () => void reload());
  const close = (): Promise<void> => {
    watcher.close();
    return reading;
  };
  return { config: () => config, origin: () => origin, invalid: () => invalid, reload, close };
}
