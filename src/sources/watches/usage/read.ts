// Reads a day and the seven before it from the four daily reports.
import type { Client } from '../../../api/index.ts';
import { dayAfter, type Figures, type Share } from './day.ts';

/** First day the service has (section 8). */
const HISTORY_BEGINS = '2026-01-14';

/** Null: the service has no row for this day yet. */
export async function readDays(
  client: Client,
  day: string,
  signal: AbortSignal,
): Promise<{ day: Figures; before: readonly Figures[]; models: readonly Share[]; users: readonly Share[] } | null> {
  const week = dayAfter(day, -7);
  const range = { startDate: week < HISTORY_BEGINS ? HISTORY_BEGINS : week, endDate: day };
  const [tokens, activity, tools, productivity] = await Promise.all([
    client.analytics.tokens(range, { signal }),
    client.analytics.activity(range, { signal }),
    client.analytics.tools(range, { signal }),
    client.analytics.productivity(range, { signal }),
  ]);
  const on = <R extends { date: string }>(rows: readonly R[], date: string): R | undefined =>
    rows.find((row) => row.date === date);
  const figures = (date: string): Figures => ({
    tokens: on(tokens.data, date)?.billable_tokens ?? null,
    activeUsers: on(activity.data, date)?.daily_active_users ?? null,
    toolCalls: on(tools.data, date)?.tool_calls ?? null,
    autonomy: on(tools.data, date)?.autonomy_ratio_avg ?? null,
    commits: on(productivity.data, date)?.git_commits ?? null,
    pullRequests: on(productivity.data, date)?.git_prs_created ?? null,
  });
  const row = on(tokens.data, day);
  if (row === undefined) return null;
  const before: Figures[] = [];
  for (let date = range.startDate; date < day; date = dayAfter(date, 1)) before.push(figures(date));
  return {
    day: figures(day),
    before: before.filter((other) => Object.values(other).some((value) => value !== null)),
    models: (row.by_model ?? []).map((entry) => ({ name: entry.model_id, tokens: entry.billable_tokens ?? 0 })),
    users: (row.by_user ?? []).map((entry) => ({
      name: entry.user_email ?? entry.user_id,
      tokens: entry.billable_tokens ?? 0,
    })),
  };
}
