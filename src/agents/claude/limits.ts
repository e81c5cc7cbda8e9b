// Claude's usage limits: the transcript's error line has the reset's time since 2.1.330, else the words have it; a line after it says that the client goes on by itself.
import type { AgentLimits, LimitedTurn, LimitReached } from '../../model/agent/limits.ts';
import { resetTimeIn } from '../../model/time/reset-time.ts';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import { firstString } from '../shared/fields.ts';

/** The version that goes on by itself first. */
const RESUMES_SINCE = [2, 1, 261];
/** Further away than this (ms) it does not wait for a reset. */
const WAITS_WITHIN = 24 * 3_600_000;
/** Ms by which the error's line may have been written before its hook began. */
const WRITTEN_BEFORE = 30_000;

const TYPES: Readonly<Record<string, string>> = {
  five_hour: 'five-hour',
  seven_day: 'week',
  seven_day_opus: 'weekly Opus',
  seven_day_sonnet: 'weekly Sonnet',
  overage: 'credit',
};
const SAID = /\bhit your ([\w' -]{1,40}?) limit\b/i;
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:5-hour|session)$/i, 'five-hour'],
  [/^weekly$/i, 'week'],
  [/^(?:weekly )?opus$/i, 'weekly Opus'],
  [/^(?:weekly )?sonnet$/i, 'weekly Sonnet'],
  [/organi[sz]ation/i, 'organization'],
];

const numbersOf = (version: string): readonly number[] => version.split('.').map(Number);

function isBefore(version: string, [major = 0, minor = 0, patch = 0]: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0] = numbersOf(version);
  return a - major < 0 || (a === major && (b < minor || (b === minor && c < patch)));
}

/** Whether it goes on by itself: its line about that, or what its version cannot do. Null: neither says so yet. */
function resumesBy(error: JsonObject, after: readonly JsonObject[], resetsAt: number | null, at: number) {
  if (after.some(({ content }) => typeof content === 'string' && /set to continue automatically/.test(content)))
    return true;
  const version = firstString(error, 'version');
  const isOld = version !== null && isBefore(version, RESUMES_SINCE);
  const isFar = resetsAt !== null && resetsAt - at > WAITS_WITHIN;
  return isOld || isFar || error['entrypoint'] !== 'cli' ? false : null;
}

function reached({ cause, message, records, at, zone }: LimitedTurn): LimitReached | null {
  if (cause === 'credit') return { name: 'credit', resetsAt: null, resumes: false };
  if (cause !== 'rate-limit') return null;
  const lines = records.map(asObject);
  const index = lines.findLastIndex(
    (line) => line['error'] === 'rate_limit' && Date.parse(String(line['timestamp'])) >= at - WRITTEN_BEFORE,
  );
  const error = lines[index] ?? {};
  const { resetsAt: seconds, rateLimitType } = asObject(error['quotaLimits']);
  const named = SAID.exec(message ?? '')?.[1];
  // Without either it is a limit of requests a minute, which is no account's.
  if (named === undefined && typeof rateLimitType !== 'string') return null;
  const byType = typeof rateLimitType === 'string' ? TYPES[rateLimitType] : undefined;
  const name = byType ?? NAMES.find(([pattern]) => pattern.test(named ?? ''))?.[1] ?? 'usage';
  const resetsAt = typeof seconds === 'number' ? seconds * 1_000 : resetTimeIn(message ?? '', at, zone);
  return { name, resetsAt, resumes: index < 0 ? null : resumesBy(error, lines.slice(index + 1), resetsAt, at) };
}

export const limits: AgentLimits = {
  reached,
  besideHook: { path: /\/projects\/[^/]{1,255}\/[\w-]{1,100}\.jsonl$/, writtenWithin: 1_000 },
  tells:
    'The 5-hour and weekly limits with their reset, from the transcript (2.1.330) or the message, and whether the client goes on by itself. The share that is used is known only to its status line, which is yours.',
};
