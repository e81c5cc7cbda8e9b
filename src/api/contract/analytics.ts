// Usage analytics: daily figures of the organization (sections 2.1 to 2.6 and 4.1 of docs/contributing/service-interface.md).
import * as z from 'zod';
import { refuseRange } from './days.ts';
import { endpoint } from './endpoint.ts';
import { count, day, id, loose, maybe, none, word } from './fields.ts';

/** The documented body of a failure of the analytics (section 7). */
const problem = z.looseObject({
  title: z.string(),
  detail: z.string(),
  status: z.number(),
  requestId: z.string(),
});

const metric = maybe(z.number());
const list = <T extends z.ZodType>(item: T) => maybe(z.array(item));

const range = { startDate: day, endDate: day };

const envelope = <R extends z.ZodType>(row: R) =>
  loose({
    data: z.array(row),
    meta: loose({
      org_id: maybe(z.string()),
      start_date: maybe(z.string()),
      end_date: maybe(z.string()),
    }),
  });

const tokensByModel = loose({
  model_id: z.string(),
  model_tier: maybe(word('standard', 'thinking')),
  billable_tokens: metric,
  input_tokens: metric,
  output_tokens: metric,
});

const tokenRow = loose({
  date: z.string(),
  group_key: maybe(z.string().meta({ description: 'Model identifier, when grouped' })),
  billable_tokens: z.number(),
  input_tokens: metric,
  output_tokens: metric,
  cache_read_tokens: metric,
  cache_write_tokens: metric,
  by_model: list(tokensByModel),
  by_user: list(
    loose({
      user_id: z.string(),
      user_email: maybe(z.string()),
      billable_tokens: metric,
      by_model: list(tokensByModel),
    }),
  ),
});

const toolRow = loose({
  date: z.string(),
  group_key: maybe(z.string().meta({ description: 'Tool name, when grouped' })),
  tool_calls: z.number(),
  by_tool: list(loose({ tool: z.string(), invocations: metric })),
  mcp_users_with_mcp: metric,
  mcp_by_server: list(loose({ server: z.string(), invocations: metric })),
  skills_invocations: metric,
  skills_by_name: list(loose({ name: z.string(), count: metric })),
  slash_commands_invocations: metric,
  slash_commands_by_name: list(loose({ name: z.string(), count: metric })),
  hooks_invocations: metric,
  hooks_by_event: list(
    loose({ event: z.string(), matcher: maybe(z.string()), command: maybe(z.string()), count: metric }),
  ),
  web_users: metric,
  autonomy_ratio_avg: metric,
  autonomy_ratio_p50: metric,
  autonomy_ratio_p90: metric,
  tool_calls_per_session_avg: metric,
  user_turns_per_session_avg: metric,
  tool_autonomy_level_ratio: maybe(loose({ auto_high: metric, auto_medium: metric, auto_low: metric, manual: metric })),
});

const activityRow = loose({
  date: z.string(),
  group_key: maybe(word('terminal-ui', 'web', 'non-interactive-cli')),
  daily_active_users: z.number(),
  weekly_active_users: metric,
  monthly_active_users: metric,
  daily_active_users_by_client: maybe(z.record(z.string(), z.number().nullable())),
  sessions: metric,
  messages: metric,
  user_messages: metric,
});

const productivityRow = loose({
  date: z.string(),
  files_created: metric,
  files_edited: metric,
  by_extension: list(loose({ extension: z.string(), count: metric })),
  by_language: list(loose({ language: z.string(), count: metric })),
  git_commits: metric,
  git_prs_created: metric,
});

const userRow = loose({
  user_id: z.string(),
  user_email: maybe(z.string()),
  date: z.string(),
  tool_calls: metric,
  billable_tokens: metric,
  primary_model: maybe(z.string()),
  primary_model_tier: maybe(word('standard', 'thinking')),
  files_created: metric,
  files_edited: metric,
  git_commits: metric,
  git_prs_created: metric,
  mcp_calls: metric,
  skill_calls: metric,
  slash_commands: metric,
  hooks: metric,
  sessions: metric,
  messages: metric,
  user_messages: metric,
  assistant_messages: metric,
  autonomy_ratio: metric,
  delegation_level: maybe(word('auto-high', 'auto-medium', 'auto-low', 'spec', 'manual')),
  languages: list(z.string()),
});

const usersPage = envelope(userRow).extend({
  meta: loose({
    org_id: maybe(z.string()),
    start_date: maybe(z.string()),
    end_date: maybe(z.string()),
    has_more: maybe(z.boolean()),
    next_cursor: maybe(z.string()),
  }),
});

const shared = {
  method: 'GET',
  host: 'base',
  params: none,
  body: none,
  status: 200,
  failures: [400, 401, 403, 500],
  error: problem,
  role: 'manager',
  auth: 'key',
  repeat: 'any-fault',
  section: '4.1',
  rows: 'data',
  refuse: refuseRange,
} as const;

/** `client.analytics`, `belfry api analytics`. */
export const analytics = {
  tokens: endpoint({
    ...shared,
    path: '/api/v1/analytics/tokens',
    query: z.strictObject({ ...range, group_by: z.enum(['model']).optional() }),
    result: envelope(tokenRow),
    columns: ['date', 'group_key', 'billable_tokens', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'by_model'],
    headline: 'billable_tokens',
    totals: ['billable_tokens', 'input_tokens', 'output_tokens', 'cache_read_tokens'],
    charts: [{ title: 'billable_tokens by model', list: 'by_model', name: 'model_id', count: 'billable_tokens' }],
    summary: 'Tokens used each day, by model and by user.',
  }),
  tools: endpoint({
    ...shared,
    path: '/api/v1/analytics/tools',
    query: z.strictObject({ ...range, group_by: z.enum(['tool_name']).optional() }),
    result: envelope(toolRow),
    columns: [
      'date',
      'group_key',
      'tool_calls',
      'autonomy_ratio_avg',
      'skills_invocations',
      'hooks_invocations',
      'mcp_by_server',
      'by_tool',
    ],
    headline: 'tool_calls',
    totals: ['tool_calls', 'skills_invocations', 'hooks_invocations'],
    charts: [
      { title: 'invocations by tool', list: 'by_tool', name: 'tool', count: 'invocations' },
      { title: 'invocations by MCP server', list: 'mcp_by_server', name: 'server', count: 'invocations' },
    ],
    merge: { list: 'mcp_by_server', name: 'server', count: 'invocations' },
    summary: 'Tool calls, MCP servers, skills, hooks and autonomy each day.',
  }),
  activity: endpoint({
    ...shared,
    path: '/api/v1/analytics/activity',
    query: z.strictObject({ ...range, group_by: z.enum(['client']).optional() }),
    result: envelope(activityRow),
    columns: [
      'date',
      'group_key',
      'daily_active_users',
      'weekly_active_users',
      'monthly_active_users',
      'sessions',
      'messages',
      'daily_active_users_by_client',
    ],
    headline: 'daily_active_users',
    totals: ['sessions', 'messages'],
    summary: 'Active users, sessions and messages each day. A user of several clients counts once in the total.',
  }),
  productivity: endpoint({
    ...shared,
    path: '/api/v1/analytics/productivity',
    query: z.strictObject(range),
    result: envelope(productivityRow),
    columns: ['date', 'files_created', 'files_edited', 'git_commits', 'git_prs_created', 'by_language'],
    headline: 'git_commits',
    totals: ['files_created', 'files_edited', 'git_commits', 'git_prs_created'],
    charts: [{ title: 'files by language', list: 'by_language', name: 'language', count: 'count' }],
    summary: 'Files, commits and pull requests made through the agent each day.',
  }),
  users: endpoint({
    ...shared,
    path: '/api/v1/analytics/users',
    query: z.strictObject({
      ...range,
      limit: count(1, 100).optional(),
      cursor: id.optional().meta({ description: 'where to go on, as the page before said' }),
    }),
    result: usersPage,
    pages: {
      parameter: 'cursor',
      next: (page) => {
        const { meta } = usersPage.parse(page);
        return meta.has_more === false ? null : (meta.next_cursor ?? null);
      },
      more: (page) => usersPage.parse(page).meta.has_more ?? null,
    },
    columns: [
      'date',
      'user_email',
      'billable_tokens',
      'tool_calls',
      'sessions',
      'messages',
      'git_commits',
      'autonomy_ratio',
      'delegation_level',
      'primary_model',
    ],
    totals: ['billable_tokens', 'tool_calls', 'sessions', 'messages', 'git_commits'],
    charts: [{ title: 'billable_tokens by user', name: 'user_email', count: 'billable_tokens' }],
    summary: 'What each user did each day, in pages.',
  }),
};
