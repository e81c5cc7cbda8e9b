// Readiness reports: how ready a repository is for agents (sections 2.7 and 4.2 of docs/contributing/service-interface.md).
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { id, json, loose, maybe, none, word } from './fields.ts';

const POSITIVE = 'must be a positive whole number';

const criterion = loose({
  numerator: z.number().meta({ description: 'Sub-applications that pass' }),
  denominator: z.number().meta({ description: 'Sub-applications evaluated' }),
  rationale: maybe(z.string()),
});

const report = loose({
  reportId: z.string(),
  createdAt: z.number().meta({ description: 'Unix time in milliseconds' }),
  repoUrl: z.string(),
  apps: z.record(z.string(), loose({ description: maybe(z.string()) })),
  report: z.record(z.string(), criterion),
  commitHash: maybe(z.string()),
  branch: maybe(z.string()),
  hasLocalChanges: maybe(z.boolean()),
  hasNonRemoteCommits: maybe(z.boolean()),
  modelUsed: maybe(loose({ id: maybe(z.string()), reasoningEffort: maybe(word('low', 'medium', 'high', 'off')) })),
  agentVersion: maybe(z.string()),
});

const page = loose({ reports: z.array(report) });

/** "9 of 12 pass; fails lint_config, unit_tests". */
function criteriaInWords(value: unknown): string {
  const criteria = Object.entries(z.record(z.string(), criterion).parse(value));
  const failing = criteria.filter(([, one]) => one.numerator < one.denominator).map(([name]) => name);
  const passing = `${criteria.length - failing.length} of ${criteria.length} pass`;
  return failing.length === 0 ? passing : `${passing}; below: ${failing.join(', ')}`;
}

/** `client.readinessReports`, `belfry api readiness-reports`. */
export const readinessReports = {
  list: endpoint({
    method: 'GET',
    host: 'app',
    path: '/api/organization/maturity-level-reports',
    params: none,
    query: z.strictObject({
      repoId: id.optional().meta({ description: 'reports of this repository only' }),
      limit: z.int(POSITIVE).positive(POSITIVE).optional().meta({ description: 'how many in a page' }),
      startAfter: id.optional().meta({ description: 'the report after which to go on' }),
    }),
    body: none,
    status: 200,
    result: page,
    failures: [400, 401, 500],
    error: json,
    role: 'any',
    auth: 'key',
    repeat: 'any-fault',
    section: '4.2',
    rows: 'reports',
    time: { field: 'createdAt', newestFirst: false },
    columns: ['repoUrl', 'createdAt', 'report', 'branch', 'reportId'],
    rest: { column: 'report', lines: 2 },
    show: { report: criteriaInWords },
    pages: {
      parameter: 'startAfter',
      next: (result) => page.parse(result).reports.at(-1)?.reportId ?? null,
      more: () => null,
      key: 'reportId',
    },
    summary: 'Evaluations of how ready repositories are for agents.',
  }),
};
