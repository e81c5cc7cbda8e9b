// The settings in force while the daemon runs: a valid change takes effect, an invalid one leaves the old settings in force.
import type { Config } from '../model/config.ts';
import { type InvalidConfig, invalidConfig, type InitialConfig, type ConfigOrigin } from './initial-load.ts';
import { keepLastGood } from './last-good.ts';
import { readConfig } from './load.ts';
import { watchFile } from './watch-file.ts';

/** Settings that follow their file. */
export interface LiveConfig {
  readonly config: () => Config;
  readonly origin: () => ConfigOrigin;
  /** Null: the file is valid, or there is none. */
  readonly invalid: () => InvalidConfig | null;
  /** Reads the file now; `always`: also takes over an unchanged one, whose secrets may have changed. Resolves when what it says is in force, with null, or with the line that says why it is not; never rejects. */
  reload(always?: boolean): Promise<string | null>;
  /** Stops following; resolves when what it was writing is written. */
  close(): Promise<void>;
}

/** What a change of the file leads to: one change after the other, each awaited before the next is read. */
export interface ConfigListeners {
  /** Builds what the new settings need while the old ones are still in force; should it throw, they stay in force. */
  readonly prepare: (config: Config) => Promise<void>;
  /** New settings are in force. */
  readonly onChange: (config: Config) => Promise<void>;
  /** The file broke; reported once for each broken text, at most once a minute, and not for the one the daemon started beside. */
  readonly onInvalid: (invalid: InvalidConfig) => Promise<void>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly now: () => number;
}

/** A file that broke again within this time of the last report is not reported again, ms. */
const CALM = 60_000;

/** Follows `file` from the settings the daemon started with; good ones are copied into `state`. No listener is called before it returns. */
export function watchConfig(file: string, state: string, first: InitialConfig, listeners: ConfigListeners): LiveConfig {
  let { config, origin, invalid, text } = first;
  let reading: Promise<unknown> = Promise.resolve();
  /** Asked for while another one reads: it begins afterwards and serves everyone who asks until then. */
  let next: Promise<string | null> | null = null;
  /** That one takes over an unchanged file too. */
  let unchanged = false;
  /** When a broken file was last reported, Unix ms. */
  let reportedAt = Number.NEGATIVE_INFINITY;

  const keep = (): Promise<void> =>
    keepLastGood(state, text).catch((error: unknown) =>
      listeners.log('cannot keep a copy of the last good settings', { error: String(error) }),
    );

  async function noteBroken(now: InvalidConfig): Promise<string> {
    const same = invalid?.line === now.line;
    invalid = now;
    if (same) return now.line;
    listeners.log('the settings file is invalid; the previous settings stay in force', { at: now.line });
    // Whoever saves several times in a row knows already.
    const since = listeners.now() - reportedAt;
    if (since >= 0 && since < CALM) return now.line;
    reportedAt = listeners.now();
    await listeners.onInvalid(now);
    return now.line;
  }

  async function read(always: boolean): Promise<string | null> {
    const loaded = await readConfig(file);
    if (!loaded.ok) return noteBroken(invalidConfig(file, loaded.diagnostics, invalid?.since ?? listeners.now()));
    const same = loaded.text === text && origin !== 'last good';
    if (same && invalid === null && !always) return null;
    await listeners.prepare(loaded.config);
    invalid = null;
    ({ config, text } = loaded);
    origin = text === null ? 'defaults' : 'file';
    await keep();
    listeners.log('new settings are in force', { origin });
    for (const warning of loaded.warnings) listeners.log('settings warning', { key: warning.key, line: warning.line });
    await listeners.onChange(config);
    return null;
  }

  const reload = (always = false): Promise<string | null> => {
    unchanged ||= always;
    next ??= reading.then(() => {
      const too = unchanged;
      next = null;
      unchanged = false;
      return read(too).catch((error: unknown) => {
        listeners.log('cannot read the settings file again', { error: String(error) });
        return `the settings could not be taken over: ${String(error)}`;
      });
    });
    reading = next;
    return next;
  };
  if (invalid === null) reading = keep();
  const watcher = watchFile(file, () => void reload());
  const close = async (): Promise<void> => {
    watcher.close();
    await reading;
  };
  return { config: () => config, origin: () => origin, invalid: () => invalid, reload, close };
}
