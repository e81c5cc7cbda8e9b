// Rows of the analytics: a day's work of everybody, or of one, added up as the service would (sections 2.2 to 2.6).
import { CLIENTS, type ModelTokens, sum, type Workday } from './user-day.ts';

type Work = readonly Workday[];

/** Counts by name, the most first. */
function tally(parts: readonly Readonly<Record<string, number>>[]): [string, number][] {
  const totals = new Map<string, number>();
  for (const [name, n] of parts.flatMap((part) => Object.entries(part))) totals.set(name, (totals.get(name) ?? 0) + n);
  return [...totals].filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

const total = (work: Work, what: (one: Workday) => number): number => sum(work.map(what));

const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

const ratio = (a: number, b: number): number => (b === 0 ? 0 : round(a / b));

/** 2.2 */
export function tokenRow(date: string, work: Work) {
  const byModel = byModelOf(work.flatMap((one) => one.models));
  const input = sum(byModel.map((model) => model.input_tokens));
  return {
    date,
    billable_tokens: sum(byModel.map((model) => model.billable_tokens)),
    input_tokens: input,
    output_tokens: sum(byModel.map((model) => model.output_tokens)),
    cache_read_tokens: Math.round(input * 2.1),
    cache_write_tokens: Math.round(input * 0.3),
    by_model: byModel,
    by_user: work.map(({ person, models }) => ({
      user_id: person.id,
      // A string here, whatever `/users` says.
      user_email: person.email ?? '',
      billable_tokens: sum(models.map((model) => model.billable_tokens)),
      by_model: [...models],
    })),
  };
}

function byModelOf(parts: readonly ModelTokens[]): ModelTokens[] {
  const totals = new Map<string, ModelTokens>();
  for (const part of parts) {
    const before = totals.get(part.model_id);
    totals.set(part.model_id, {
      ...part,
      billable_tokens: part.billable_tokens + (before?.billable_tokens ?? 0),
      input_tokens: part.input_tokens + (before?.input_tokens ?? 0),
      output_tokens: part.output_tokens + (before?.output_tokens ?? 0),
    });
  }
  return [...totals.values()].sort((a, b) => b.billable_tokens - a.billable_tokens);
}

/** 2.3 */
export function toolRow(date: string, work: Work) {
  const skills = tally(work.map((one) => one.skills));
  const slash = tally(work.map((one) => one.slash));
  const hooks = tally(work.map((one) => one.hooks));
  const calls = total(work, (one) => one.toolCalls);
  const ratios = work.map((one) => ratio(one.toolCalls, one.userMessages)).sort((a, b) => a - b);
  const levels = ['auto-high', 'auto-medium', 'auto-low', 'manual'].map((level) => {
    const share = total(
      work.filter((one) => one.person.delegation === level || (level === 'manual' && one.person.delegation === 'spec')),
      (one) => one.toolCalls,
    );
    return [level.replace('-', '_'), calls === 0 ? 0 : round(share / calls, 3)] as const;
  });
  return {
    date,
    tool_calls: calls,
    by_tool: tally(work.map((one) => one.tools)).map(([tool, invocations]) => ({ tool, invocations })),
    mcp_users_with_mcp: work.filter((one) => Object.keys(one.mcp).length > 0).length,
    mcp_by_server: tally(work.map((one) => one.mcp)).map(([server, invocations]) => ({ server, invocations })),
    skills_invocations: sum(skills.map(([, n]) => n)),
    skills_by_name: skills.map(([name, count]) => ({ name, count })),
    slash_commands_invocations: sum(slash.map(([, n]) => n)),
    slash_commands_by_name: slash.map(([name, count]) => ({ name, count })),
    hooks_invocations: sum(hooks.map(([, n]) => n)),
    hooks_by_event: hooks.map(([event, count]) => ({ event, matcher: '', command: 'belfry-hook', count })),
    web_users: work.filter((one) => one.clients.includes('web')).length,
    autonomy_ratio_avg: ratios.length === 0 ? 0 : round(sum(ratios) / ratios.length),
    autonomy_ratio_p50: ratios[Math.floor(ratios.length * 0.5)] ?? 0,
    autonomy_ratio_p90: ratios[Math.floor(ratios.length * 0.9)] ?? 0,
    tool_calls_per_session_avg: ratio(
      calls,
      total(work, (one) => one.sessions),
    ),
    user_turns_per_session_avg: ratio(
      total(work, (one) => one.userMessages),
      total(work, (one) => one.sessions),
    ),
    tool_autonomy_level_ratio: Object.fromEntries(levels),
  };
}

/** 2.4 */
export function activityRow(date: string, work: Work, weekly: number, monthly: number) {
  const userMessages = total(work, (one) => one.userMessages);
  return {
    date,
    daily_active_users: work.length,
    weekly_active_users: weekly,
    monthly_active_users: monthly,
    daily_active_users_by_client: Object.fromEntries(
      CLIENTS.map((client) => [client, work.filter((one) => one.clients.includes(client)).length]),
    ),
    sessions: total(work, (one) => one.sessions),
    messages: userMessages + total(work, (one) => one.assistantMessages),
    user_messages: userMessages,
  };
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  TypeScript: '.ts',
  Python: '.py',
  Go: '.go',
  Markdown: '.md',
  SQL: '.sql',
  Shell: '.sh',
};

/** 2.5 */
export function productivityRow(date: string, work: Work) {
  const languages = tally(
    work.map(({ person, filesEdited }) =>
      Object.fromEntries(person.languages.map((l, i) => [l, Math.floor(filesEdited / (i + 2))])),
    ),
  );
  return {
    date,
    files_created: total(work, (one) => one.filesCreated),
    files_edited: total(work, (one) => one.filesEdited),
    by_extension: languages.map(([language, count]) => ({ extension: EXTENSIONS[language] ?? '', count })),
    by_language: languages.map(([language, count]) => ({ language, count })),
    git_commits: total(work, (one) => one.commits),
    git_prs_created: total(work, (one) => one.pulls),
  };
}

/** 2.6 */
export function userRow(date: string, work: Workday) {
  const { person } = work;
  const best = [...work.models].sort((a, b) => b.billable_tokens - a.billable_tokens)[0];
  const calls = (part: Readonly<Record<string, number>>): number => sum(Object.values(part));
  return {
    user_id: person.id,
    user_email: person.email,
    date,
    tool_calls: work.toolCalls,
    billable_tokens: sum(work.models.map((model) => model.billable_tokens)),
    primary_model: best?.model_id ?? '',
    primary_model_tier: best?.model_tier ?? 'standard',
    files_created: work.filesCreated,
    files_edited: work.filesEdited,
    git_commits: work.commits,
    git_prs_created: work.pulls,
    mcp_calls: calls(work.mcp),
    skill_calls: calls(work.skills),
    slash_commands: calls(work.slash),
    hooks: calls(work.hooks),
    sessions: work.sessions,
    messages: work.userMessages + work.assistantMessages,
    user_messages: work.userMessages,
    assistant_messages: work.assistantMessages,
    autonomy_ratio: ratio(work.toolCalls, work.userMessages),
    delegation_level: person.delegation,
    languages: [...person.languages],
  };
}
