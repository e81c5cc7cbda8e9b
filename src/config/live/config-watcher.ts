// The settings in force while the daemon runs: a valid change takes effect, an invalid one leaves the old settings in force.
import type { Config } from '../../model/settings/config.ts';
import { type InvalidConfig, invalidConfig, type InitialConfig, type ConfigOrigin } from './initial-load.ts';
import { keepLastGood } from './last-good.ts';
import { readConfig } from '../load.ts';
import { watchFile } from './watch-file.ts';

/** Settings that follow their file. */
export interface LiveConfig {
  readonly config: () => Config;
  readonly origin: () => ConfigOrigin;
  /** Null: the file is valid, or there is none. */
  readonly invalid: () => InvalidConfig | null;
  /** Reads the file now; `always`: also takes over an unchanged one, whose secrets may have changed. Resolves when what it says is in force, with null, or with the line that says why it is not; never rejects. */
  readonly reload: (always?: boolean) => Promise<string | null>;
  /** Stops following; resolves when what it was writing is written. */
  readonly close: () => Promise<void>;
}

/** The same before it follows its file: until then what the daemon started with is in force. */
export interface StartedConfig extends LiveConfig {
  /** Once. Changes of the file go to these listeners from now on. */
  readonly follow: (listeners: ConfigListeners) => void;
}

/** What a change of the file leads to: one change after the other, each awaited before the next is read. */
export interface ConfigListeners {
  /** Builds what the new settings need while the old ones are still in force; should it throw, they stay in force. */
  readonly prepare: (config: Config) => Promise<void>;
  /** New settings are in force. */
  readonly onChange: (config: Config) => Promise<void>;
  /** The file broke; reported once for each broken text, at most once a minute, and not for the one the daemon started beside. */
  readonly onInvalid: (invalid: InvalidConfig) => Promise<void>;
}

/** Where the file is and what the watcher needs; good settings are copied into `state`. */
export interface ConfigWatcherDeps {
  readonly file: string;
  readonly state: string;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly now: () => number;
}

/** A file that broke again within this time of the last report is not reported again, ms. */
const CALM = 60_000;

/** Begins with the settings the daemon started with. */
export function watchConfig(first: InitialConfig, deps: ConfigWatcherDeps): StartedConfig {
  return new ConfigWatcher(first, deps);
}

type Current = Pick<InitialConfig, 'config' | 'origin' | 'invalid' | 'text'>;

class ConfigWatcher implements StartedConfig {
  readonly #deps: ConfigWatcherDeps;
  #current: Current;
  #listeners: ConfigListeners | null = null;
  #watcher: { close(): void } | null = null;
  #reading: Promise<unknown> = Promise.resolve();
  /** Asked for while another one reads: it begins afterwards and serves everyone who asks until then. */
  #next: Promise<string | null> | null = null;
  /** That one takes over an unchanged file too. */
  #unchanged = false;
  /** When a broken file was last reported, Unix ms. */
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(first: Current, deps: ConfigWatcherDeps) {
    this.#current = first;
    this.#deps = deps;
  }

  readonly config = (): Config => this.#current.config;
  readonly origin = (): ConfigOrigin => this.#current.origin;
  readonly invalid = (): InvalidConfig | null => this.#current.invalid;

  readonly follow = (listeners: ConfigListeners): void => {
    this.#listeners = listeners;
    if (this.#current.invalid === null) this.#reading = this.#keep();
    this.#watcher = watchFile(this.#deps.file, () => void this.reload());
  };

  readonly reload = (always = false): Promise<string | null> => {
    this.#unchanged ||= always;
    this.#next ??= this.#reading.then(() => {
      const too = this.#unchanged;
      this.#next = null;
      this.#unchanged = false;
      return this.#read(too).catch((error: unknown) => {
        this.#deps.log('cannot read the settings file again', { error: String(error) });
        return `the settings could not be taken over: ${String(error)}`;
      });
    });
    this.#reading = this.#next;
    return this.#next;
  };

  readonly close = async (): Promise<void> => {
    this.#watcher?.close();
    await this.#reading;
  };

  async #read(always: boolean): Promise<string | null> {
    const { file, log, now } = this.#deps;
    const { text, origin, invalid } = this.#current;
    const loaded = await readConfig(file);
    if (!loaded.ok) return this.#noteBroken(invalidConfig(file, loaded.diagnostics, invalid?.since ?? now()));
    const same = loaded.text === text && origin !== 'last good';
    if (same && invalid === null && !always) return null;
    await this.#listeners?.prepare(loaded.config);
    this.#current = {
      config: loaded.config,
      text: loaded.text,
      invalid: null,
      origin: loaded.text === null ? 'defaults' : 'file',
    };
    await this.#keep();
    log('new settings are in force', { origin: this.#current.origin });
    for (const warning of loaded.warnings) log('settings warning', { key: warning.key, line: warning.line });
    await this.#listeners?.onChange(loaded.config);
    return null;
  }

  async #noteBroken(broken: InvalidConfig): Promise<string> {
    const same = this.#current.invalid?.line === broken.line;
    this.#current = { ...this.#current, invalid: broken };
    if (same) return broken.line;
    const { log, now } = this.#deps;
    log('the settings file is invalid; the previous settings stay in force', { at: broken.line });
    // Whoever saves several times in a row knows already.
    const since = now() - this.#reportedAt;
    if (since >= 0 && since < CALM) return broken.line;
    this.#reportedAt = now();
    await this.#listeners?.onInvalid(broken);
    return broken.line;
  }

  #keep(): Promise<void> {
    return keepLastGood(this.#deps.state, this.#current.text).catch((error: unknown) =>
      this.#deps.log('cannot keep a copy of the last good settings', { error: String(error) }),
    );
  }
}
