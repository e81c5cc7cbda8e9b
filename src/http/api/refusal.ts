// A request that is understood and refused.

/** A failure with a status of its own; `more` joins the problem document. */
export class Refusal extends Error {
  readonly status: number;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: number, detail: string, more: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.status = status;
    this.more = more;
  }
}
