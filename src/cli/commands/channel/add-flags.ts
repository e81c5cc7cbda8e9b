// The flags of `belfry channel add`, as they are parsed.

/** See the options in ../channel.ts. */
export interface AddFlags {
  readonly name?: string;
  readonly set?: readonly string[];
  readonly yes?: true;
  /** Indexes of routes; false: none. */
  readonly route?: readonly string[] | false;
  readonly test: boolean;
}
