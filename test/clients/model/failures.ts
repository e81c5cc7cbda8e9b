// Why a model's service does not answer, as the services say it.

/** An answer that refuses, one that begins well and fails, or a connection that is cut. */
export type Failure = Refusal | Broken | 'cut';

interface Broken {
  /** Server-sent events. */
  readonly stream: string;
}

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Too much to do, in the words of each service; it is not to be asked again soon. */
export const OVERLOADED = {
  status: 503,
  headers: { 'x-should-retry': 'false' },
  body: {
    type: 'error',
    error: { type: 'overloaded_error', code: 'server_is_overloaded', message: 'Overloaded' },
  },
} satisfies Failure;

/** The same, and it may be asked again at once. */
export const BUSY: Failure = { ...OVERLOADED, headers: {} };

/** The same as Anthropic says it: clients try again. */
export const ANTHROPIC_OVERLOADED: Failure = {
  status: 529,
  headers: {},
  body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
};

const DAY = 86_400;

/** A subscriber's five hours with Anthropic, or the week, are used up. `resetsAt`: Unix s. */
export function anthropicLimit(resetsAt: number, window: '5h' | '7d' = '5h'): Failure {
  const other = window === '5h' ? '7d' : '5h';
  const unified = {
    status: 'rejected',
    reset: resetsAt,
    'representative-claim': window === '5h' ? 'five_hour' : 'seven_day',
    [`${window}-status`]: 'rejected',
    [`${window}-reset`]: resetsAt,
    [`${window}-utilization`]: 1,
    [`${other}-status`]: 'allowed',
    [`${other}-reset`]: resetsAt + DAY,
    [`${other}-utilization`]: 0.41,
    'overage-status': 'rejected',
    'overage-disabled-reason': 'org_level_disabled',
  };
  const named = Object.entries(unified).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, `${value}`]);
  const error = { type: 'rate_limit_error', message: "This request would exceed your account's rate limit." };
  return { status: 429, headers: Object.fromEntries(named), body: { type: 'error', error } };
}

/** A window of Codex's service is used up. `resetsAt`: Unix s. */
export function codexLimit(resetsAt: number): Failure {
  const windows = {
    'primary-used-percent': 100,
    'primary-window-minutes': 300,
    'primary-reset-at': resetsAt,
    'secondary-used-percent': 41,
    'secondary-window-minutes': 10_080,
    'secondary-reset-at': resetsAt + DAY,
  };
  const headers = Object.fromEntries(Object.entries(windows).map(([name, value]) => [`x-codex-${name}`, `${value}`]));
  const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached', resets_at: resetsAt };
  return { status: 429, headers, body: { error } };
}

/** A service of OpenAI's kind wants to be asked again in so many seconds. */
export const retryLater = (seconds: number): Failure => ({
  status: 429,
  headers: { 'retry-after': `${seconds}` },
  body: { error: { message: 'Rate limit reached', type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
});

/** What a service of OpenAI's kind says with this error. */
const openAiError = (status: number, error: Readonly<Record<string, unknown>>, headers = {}): Failure => ({
  status,
  headers,
  body: { error },
});

/** The key counts no more, in the words that all of them understand. */
export const SIGNED_OUT: Failure = {
  status: 401,
  headers: {},
  body: {
    type: 'error',
    error: { type: 'authentication_error', code: 'invalid_api_key', message: 'Incorrect API key provided' },
  },
};

/** What was paid for is used up. */
export const NO_CREDIT = openAiError(429, {
  message: 'You exceeded your current quota, please check your plan and billing details.',
  type: 'insufficient_quota',
  code: 'insufficient_quota',
});

/** A window of Codex's service is used up, and it says for how long, but not until when. */
export const CODEX_LIMIT_WITHOUT_TIME = openAiError(429, {
  type: 'usage_limit_reached',
  message: 'The usage limit has been reached',
  resets_in_seconds: 5_400,
});

/** An answer of OpenAI's kind that begins, and fails for so many seconds. */
export function failsMidway(seconds: number): Failure {
  const error = {
    code: 'rate_limit_exceeded',
    message: `Rate limit reached for gpt-5.1-codex. Please try again in ${seconds}s.`,
  };
  const response = { id: 'resp_failed', object: 'response', status: 'failed', error };
  const lines = [
    ['response.created', { type: 'response.created', response: { ...response, status: 'in_progress', error: null } }],
    ['response.failed', { type: 'response.failed', response }],
  ].map(([event, data]) => `event: ${String(event)}\ndata: ${JSON.stringify(data)}\n\n`);
  return { stream: lines.join('') };
}

/** Google's service is asked too often, by the minute or by the day, and names how long to wait. */
export function googleQuota(window: 'PerMinute' | 'PerDay', seconds: number): Failure {
  const type = (name: string): { readonly '@type': string } => ({ '@type': `type.googleapis.com/google.rpc.${name}` });
  const violation = {
    quotaMetric: 'generativelanguage.googleapis.com/generate_content_requests',
    quotaId: `GenerateRequests${window}PerProjectPerModel`,
  };
  const error = {
    code: 429,
    message: `You exceeded your current quota. Please retry in ${seconds}s.`,
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { ...type('QuotaFailure'), violations: [violation] },
      { ...type('RetryInfo'), retryDelay: `${seconds}s` },
    ],
  };
  return { status: 429, headers: {}, body: { error } };
}

/** Google's service has too much to do. */
export const GOOGLE_OVERLOADED: Failure = {
  status: 503,
  headers: {},
  body: { error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' } },
};
