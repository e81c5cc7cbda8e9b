// What shows that a hostile case tests what it says: without the check that it is about, it fails.

/** A change of the source that takes one check out, and the tests that must fail then. */
export interface Control {
  readonly without: string;
  readonly file: string;
  /** In that file once. */
  readonly find: string;
  readonly replace: string;
  readonly tests: string;
  /** Exact names. */
  readonly fail: readonly string[];
}
