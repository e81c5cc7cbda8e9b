// The settings in force while the daemon runs: a valid change takes effect, an invalid one leaves the old settings in force.
import type { Config } from '../../model/settings/config.ts';
import {
  type InvalidConfig,
  invalidConfig,
  invalidMachine,
  type InitialConfig,
  type ConfigOrigin,
} from './initial-load.ts';
import { type ConfigFiles, machineFileOf, type MachineState } from '../machine/machine-config.ts';
import { keepLastGood } from './last-good.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { loadKept, readConfig } from '../load.ts';
import { registries } from '../registries.ts';
import { watchFile } from './watch-file.ts';

/** Settings that follow their file. */
export interface LiveConfig {
  readonly config: () => Config;
  readonly origin: () => ConfigOrigin;
  /** The machine-wide settings in force. */
  readonly machine: () => MachineState;
  /** What of one's own settings is not in force since a change of the machine's file, one line each. */
  readonly leftOut: () => readonly string[];
  /** Null: the files are valid, or there are none. */
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

/** Where the files are and what the watcher needs. */
export interface ConfigWatcherDeps {
  readonly files: ConfigFiles;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly now: () => number;
}

/** A file that broke again within this time of the last report is not reported again, ms. */
const CALM = 60_000;

/** Begins with the settings the daemon started with. */
export function watchConfig(first: InitialConfig, deps: ConfigWatcherDeps): StartedConfig {
  return new ConfigWatcher(first, deps);
}

type Current = Pick<InitialConfig, 'config' | 'origin' | 'invalid' | 'leftOut' | 'text' | 'machine'>;

class ConfigWatcher implements StartedConfig {
  readonly #deps: ConfigWatcherDeps;
  #current: Current;
  #listeners: ConfigListeners | null = null;
  #watchers: readonly { close(): void }[] = [];
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
  readonly origin = (): ConfigOrigin => {
    const { origin, invalid } = this.#current;
    const isInvalid = invalid !== null && !invalid.isMachine;
    return isInvalid && origin === 'file' ? 'last good' : origin;
  };
  readonly machine = (): MachineState => this.#current.machine;
  readonly leftOut = (): readonly string[] => this.#current.leftOut;
  readonly invalid = (): InvalidConfig | null => this.#current.invalid;

  readonly follow = (listeners: ConfigListeners): void => {
    this.#listeners = listeners;
    if (this.#current.invalid?.isMachine ?? true) this.#reading = this.#keep();
    const { files } = this.#deps;
    this.#watchers = [files.config, machineFileOf(files)].map((file) => watchFile(file, () => void this.reload()));
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
    for (const watcher of this.#watchers) watcher.close();
    await this.#reading;
  };

  async #read(always: boolean): Promise<string | null> {
    const { files, now } = this.#deps;
    const { text, origin, invalid, machine: before } = this.#current;
    const loaded = await readConfig(files);
    const { machine } = loaded;
    const isOther = machine.config?.text !== before.config?.text;
    const since = invalid?.since ?? now();
    if (!loaded.ok) {
      const broken = invalidConfig(files.config, loaded, since);
      // What is locked does not wait until one's own file is corrected.
      const kept = isOther ? await loadKept(text, registries, machine.config) : null;
      try {
        if (kept) await this.#takeOver({ ...this.#current, ...kept, machine }, []);
      } finally {
        await this.#noteBroken(broken);
      }
      return broken.line;
    }
    const broken = invalidMachine(machine, since);
    const same = loaded.text === text && origin !== 'last good' && !isOther;
    if (same && invalid?.line === broken?.line && !always) return null;
    const next = loaded.text === null ? 'defaults' : 'file';
    await this.#takeOver(
      { config: loaded.config, text: loaded.text, machine, invalid: broken, leftOut: [], origin: next },
      loaded.warnings,
    );
    if (broken !== null && broken.line !== invalid?.line) await this.#reportBroken(broken);
    return null;
  }

  async #takeOver(next: Current, warnings: readonly Diagnostic[]): Promise<void> {
    const { log } = this.#deps;
    await this.#listeners?.prepare(next.config);
    this.#current = next;
    await this.#keep();
    log('new settings are in force', { origin: next.origin });
    for (const line of next.leftOut) log('left out of the settings', { what: line });
    for (const warning of warnings) log('settings warning', { key: warning.key, line: warning.line });
    await this.#listeners?.onChange(next.config);
  }

  async #noteBroken(broken: InvalidConfig): Promise<string> {
    const same = this.#current.invalid?.line === broken.line;
    this.#current = { ...this.#current, invalid: broken };
    if (!same) await this.#reportBroken(broken);
    return broken.line;
  }

  async #reportBroken(broken: InvalidConfig): Promise<void> {
    const { log, now } = this.#deps;
    const kept = broken.isMachine ? 'machine-wide settings' : 'settings';
    log(`the ${kept} file is invalid; the previous ${kept} stay in force`, { at: broken.line });
    // Whoever saves several times in a row knows already.
    const since = now() - this.#reportedAt;
    if (since >= 0 && since < CALM) return;
    this.#reportedAt = now();
    await this.#listeners?.onInvalid(broken);
  }

  #keep(): Promise<void> {
    const { text, machine } = this.#current;
    return keepLastGood(this.#deps.files.state, text, machine.config?.text ?? null).catch((error: unknown) =>
      this.#deps.log('cannot keep a copy of the last good settings', { error: String(error) }),
    );
  }
}
