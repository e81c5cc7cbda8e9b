// The client's one error: what went wrong, what the service said, and what to do next. Never holds the key.
import { EXIT, type ExitCode, UserError } from '../../model/errors.ts';

/** What went wrong, as one of a closed set. */
export type ErrorKind =
  | 'invalid-input'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'refused'
  | 'rate-limited'
  | 'server'
  | 'unreachable'
  | 'disconnected'
  | 'timeout'
  | 'cut-short'
  | 'unknown-outcome'
  | 'unusable-answer'
  | 'redirected'
  | 'cancelled';

/** The exit code the command line gives each kind. */
const EXITS: Readonly<Record<ErrorKind, ExitCode>> = {
  'invalid-input': EXIT.usage,
  unauthenticated: EXIT.auth,
  forbidden: EXIT.auth,
  'not-found': EXIT.notFound,
  refused: EXIT.refused,
  'rate-limited': EXIT.rateLimited,
  server: EXIT.unreachable,
  unreachable: EXIT.unreachable,
  disconnected: EXIT.unreachable,
  timeout: EXIT.unreachable,
  'cut-short': EXIT.other,
  'unknown-outcome': EXIT.unreachable,
  'unusable-answer': EXIT.other,
  redirected: EXIT.other,
  cancelled: EXIT.other,
};

/** What the service said about a failure; each part null where it did not. */
export interface Answered {
  readonly status: number | null;
  readonly title: string | null;
  readonly detail: string | null;
  readonly requestId: string | null;
  /** Ms the service asked to wait. */
  readonly retryAfterMs: number | null;
}

const NOTHING: Answered = { status: null, title: null, detail: null, requestId: null, retryAfterMs: null };

/** The only error the client throws on purpose. Its message is one line. */
export class ApiError extends UserError implements Answered {
  override readonly name: string = 'ApiError';
  readonly kind: ErrorKind;
  readonly status: number | null;
  readonly title: string | null;
  readonly detail: string | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  constructor(kind: ErrorKind, message: string, answered: Partial<Answered> = {}) {
    super(message, EXITS[kind]);
    const { status, title, detail, requestId, retryAfterMs } = { ...NOTHING, ...answered };
    this.kind = kind;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}
