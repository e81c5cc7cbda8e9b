// Codex's usage limits: the windows that its rollout file has after every turn. A window that is null says nothing, also not that there is room again.
import {
  type AgentLimits,
  type LimitedTurn,
  type LimitReached,
  limitOfWindow,
  type LimitUse,
} from '../../model/agent/limits.ts';
import { resetTimeIn } from '../../model/time/reset-time.ts';
import { asObject } from '../../lib/json/json.ts';

function windowOf(value: unknown): readonly LimitUse[] {
  const { used_percent: used, window_minutes: minutes, resets_at: seconds } = asObject(value);
  if (typeof used !== 'number' || typeof minutes !== 'number') return [];
  return [{ name: limitOfWindow(minutes), used, resetsAt: typeof seconds === 'number' ? seconds * 1_000 : null }];
}

const payloadOf = (record: unknown) => asObject(asObject(record)['payload']);

/** Those of the last count, however many windows there are. */
function used(records: readonly unknown[]): readonly LimitUse[] {
  const last = records.map(payloadOf).findLast(({ type, rate_limits }) => type === 'token_count' && rate_limits);
  const { primary, secondary } = asObject(last?.['rate_limits']);
  return [primary, secondary].flatMap(windowOf);
}

function reached({ cause, message, records, at, zone }: LimitedTurn): LimitReached | null {
  if (cause === 'credit') return { name: 'credit', resetsAt: null, resumes: false };
  const end = records.findLast((record) => ['task_complete', 'error'].includes(String(payloadOf(record)['type'])));
  const last = payloadOf(end);
  const { codex_error_info: info } = asObject(last['error'] ?? last);
  if (cause !== 'rate-limit' || info !== 'usage_limit_exceeded') return null;
  const full = used(records).filter((window) => window.used >= 100);
  const [longest] = [...full].sort((a, b) => (b.resetsAt ?? 0) - (a.resetsAt ?? 0));
  if (longest !== undefined) return { name: longest.name, resetsAt: longest.resetsAt, resumes: false };
  const saidAt = Date.parse(String(asObject(end)['timestamp']));
  return {
    name: 'usage',
    resetsAt: resetTimeIn(message ?? '', Number.isNaN(saidAt) ? at : saidAt, zone),
    resumes: false,
  };
}

export const limits: AgentLimits = {
  reached,
  used,
  tells: 'Every window with its share and its reset, after each turn, from the rollout file; credit that is used up.',
};
