// Errors a person sees: one line that says what to do next, and the exit code of docs/reference/exit-codes.md.

export const EXIT = {
  ok: 0,
  other: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  refused: 5,
  rateLimited: 6,
  unreachable: 7,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Expected trouble on its way to a person. Anything else that is thrown is a bug. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  readonly exit: ExitCode;
  constructor(message: string, exit: ExitCode = EXIT.other) {
    super(message);
    this.exit = exit;
  }
}

/** An answer to a question that is no longer shown as whoever answers has seen it. */
export class ChangedError extends UserError {
  constructor(what: string) {
    super(`${what}: look at it again (nothing was sent)`, EXIT.refused);
  }
}
