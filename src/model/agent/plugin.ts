// A plugin or extension in a client's own format: its files, the client's commands that install and remove it, and what shows that it is installed.

/** What the files of a plugin are made from. */
export interface PluginContent {
  readonly version: string;
  /** What it does and what it needs, in a sentence or two. */
  readonly description: string;
  /** The client's settings with the hooks in them; null where the client loads a module. */
  readonly hooks: Readonly<Record<string, unknown>> | null;
  /** The hook's command line, for the system's shell. */
  readonly command: string;
}

/** Where a client looks for what its user has installed. */
export interface PluginPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file, null where there is none. */
  readonly read: (path: string) => string | null;
}

/** The plugin of one client. Its files are written to installers/plugins/NAME by `npm run docs`. */
export interface ClientPlugin {
  /** What the client calls it. */
  readonly called: 'plugin' | 'extension';
  /** Its files by path below its folder: text, or a value to be written as JSON. */
  readonly files: (content: PluginContent) => Readonly<Record<string, unknown>>;
  /** Lines for a shell that install it with the client's own commands; `folder` is one word of the shell. */
  readonly install: (folder: string) => readonly string[];
  /** Lines for a shell that remove it; empty where the client has no command for that. */
  readonly remove: readonly string[];
  /** The file that says it is installed; null: it is not. */
  readonly installedBy: (place: PluginPlace) => string | null;
  /** For docs/agents/NAME.md: what else there is to do or to know, and what the client keeps after it was removed. */
  readonly notes: readonly string[];
}
