// The contract of a service manager: the text that describes our daemon to it, and the commands that enable or disable it.

/** What a service description is made from. All paths absolute. */
export interface ServiceSpec {
  readonly node: string;
  /** dist/belfry.js. */
  readonly program: string;
  readonly home: string;
  /** Variables that say where belfry's files are, when they are set. */
  readonly env: Readonly<Record<string, string>>;
  /** File of further variables (secrets that the settings name), read if it exists. */
  readonly envFile: string;
  readonly uid: number;
  /** XDG_CONFIG_HOME or its default. */
  readonly configHome: string;
}

/** One operating system's service manager. Pure: texts and command lines (program and arguments, no shell). */
export interface ServiceMechanism {
  /** Name for people: "systemd user service". */
  readonly title: string;
  readonly file: (spec: ServiceSpec) => string;
  readonly text: (spec: ServiceSpec) => string | Uint8Array;
  /** Succeeds when a manager of this kind runs for this user. */
  readonly present: readonly string[];
  /** After the file is written. */
  readonly enable: (spec: ServiceSpec) => readonly (readonly string[])[];
  /** Before the file is removed. */
  readonly disable: (spec: ServiceSpec) => readonly (readonly string[])[];
  /** After the file is removed. */
  readonly forget: (spec: ServiceSpec) => readonly (readonly string[])[];
  /** Succeeds when the service runs. */
  readonly running: (spec: ServiceSpec) => readonly string[];
  /** Folders the manager makes when the service is enabled; removed again when empty. */
  readonly folders: (spec: ServiceSpec) => readonly string[];
}

/** Marks every description we write, so that nobody else's is taken for ours. */
export const UNIT_MARK = 'Belfry, the pager for coding agents';
