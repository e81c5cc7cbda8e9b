// What `belfry channel add` asks for a channel and how it finds out the rest: declared in the channel's own file.

/** Settings of one channel as they would be in config.toml, as far as they are known. */
export type SetupAnswers = Readonly<Record<string, unknown>>;

/** One setting that a person has to give. */
export interface SetupQuestion {
  /** A key of the channel's schema, which judges the answer. A secret is typed unseen and stored apart from config.toml. */
  readonly key: string;
  /** What is asked for, in a few words. */
  readonly ask: string;
  /** Where to find it: one or two sentences. */
  readonly help?: string;
  /** An answer to start from. */
  readonly suggest?: () => string;
  /** It may be left out. */
  readonly optional?: true;
  /** Asked only where this holds of what was answered before. */
  readonly when?: (answers: SetupAnswers) => boolean;
}

/** How pairing ended: the settings it found with one sentence about them, or why there are none and what to do. */
export type Paired =
  | { readonly ok: true; readonly settings: SetupAnswers; readonly summary: string }
  | { readonly ok: false; readonly error: string };

/** What pairing is given. */
export interface PairingTools {
  /** Unix ms. */
  readonly now: () => number;
  /** Fires when the person gives up, or it has taken too long. */
  readonly signal: AbortSignal;
  /** Shows a line to the person, such as a code to send. */
  readonly show: (line: string) => void;
  /** Shows a link that is to be opened on a phone, such as by a code for its camera. */
  readonly showLink: (link: string) => Promise<void>;
}

/** Finds out settings that nobody can type, by the service itself. */
export interface Pairing {
  /** The settings it finds; it does not run where all of them are given. */
  readonly finds: readonly string[];
  /** A setting with one value of which the service lets one program listen: pairing and a daemon that listens would take messages from each other. */
  readonly exclusive?: string;
  /** `answers`: secrets resolved. Never throws for expected trouble; ends soon after the signal fires. */
  readonly run: (answers: SetupAnswers, tools: PairingTools) => Promise<Paired>;
}

/** A channel's part of `belfry channel add`. */
export interface ChannelSetup {
  /** What to do at the service first, line by line. */
  readonly intro: readonly string[];
  /** In this order. Together with `pairing` they give every setting that is required. */
  readonly questions: readonly SetupQuestion[];
  readonly pairing?: Pairing;
  /** Hosts it connects to, besides those of the addresses among its settings. */
  readonly hosts?: (answers: SetupAnswers) => readonly string[];
  /** What to do before the test message is sent, such as subscribing on the phone. `answers`: secrets resolved. */
  readonly beforeTest?: (answers: SetupAnswers) => readonly string[];
  /** What a phone can open for that instead of typing. `answers`: secrets resolved. */
  readonly phoneLink?: (answers: SetupAnswers) => string;
}
