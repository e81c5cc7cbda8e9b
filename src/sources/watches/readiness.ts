// Watches the readiness reports: a newer report of a repository with criteria that fell (sections 2.7 and 4.2).
import * as z from 'zod';
import type { Client } from '../../api/index.ts';
import { defineWatch, type Observation } from '../../model/watch/watch.ts';
import { afterInterval, every } from '../../model/watch/poll-interval.ts';
import { type Criteria, falls, rises, describeMove } from '../../api/changes/readiness-changes.ts';

/** The newest report seen of each repository. */
interface Cursor {
  readonly [repoUrl: string]: { readonly reportId: string; readonly createdAt: number; readonly criteria: Criteria };
}

type Report = Awaited<ReturnType<Client['readinessReports']['list']>>['reports'][number];

/** Most pages of 100 reports read in one poll: their order is not specified, so all have to be seen. */
const MOST_PAGES = 100;
const MOST_LINES = 8;

const schema = z.strictObject({
  every: every(3_600_000),
  improvements: z.boolean().default(false).meta({ description: 'Tell of criteria that rose, too' }),
});

/** `[watches.readiness]`. */
export const readinessWatch = defineWatch<Client, z.output<typeof schema>, Cursor>({
  name: 'readiness',
  schema,
  next: afterInterval,
  poll: async ({ client, settings, cursor, signal }) => {
    const reports: Report[] = [];
    let pages = 0;
    for await (const page of client.readinessReports.list.pages({ limit: 100 }, { signal })) {
      reports.push(...page.reports);
      if (++pages >= MOST_PAGES) break;
    }
    const next: Record<string, Cursor[string]> = { ...cursor };
    const observations: Observation[] = [];
    for (const report of reports.sort((a, b) => a.createdAt - b.createdAt)) {
      const before = Object.hasOwn(next, report.repoUrl) ? next[report.repoUrl] : undefined;
      if (before && (report.createdAt < before.createdAt || report.reportId === before.reportId)) continue;
      const criteria = criteriaOf(report);
      next[report.repoUrl] = { reportId: report.reportId, createdAt: report.createdAt, criteria };
      // The first report of a repository has nothing to be compared with.
      if (cursor === null || before === undefined) continue;
      observations.push(...compare(report, before.criteria, criteria, settings.improvements));
    }
    return { observations, cursor: next };
  },
  docs: {
    summary:
      'A new readiness report in which criteria of a repository fell, with their names and the rationale. With `improvements = true`, also those that rose.',
    example: 'every = "1h"\nimprovements = true',
  },
});

function criteriaOf(report: Report): Criteria {
  return Object.fromEntries(
    Object.entries(report.report).map(([id, { numerator, denominator }]) => [id, [numerator, denominator] as const]),
  );
}

function compare(report: Report, before: Criteria, after: Criteria, improvements: boolean): Observation[] {
  const fell = falls(before, after);
  const rose = improvements ? rises(before, after) : [];
  if (fell.length === 0 && rose.length === 0) return [];
  const name = repositoryName(report.repoUrl);
  const lines = [...fell, ...rose].map((move) => describeMove(move, report.report[move.criterion]?.rationale ?? null));
  const shown =
    lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more`] : lines;
  const dropped = fell.length > 0;
  return [
    {
      occurrence: `report ${report.reportId}`,
      kind: 'readiness.dropped',
      detail: dropped ? 'dropped' : 'improved',
      urgency: dropped ? 'normal' : 'low',
      abnormal: false,
      title: dropped
        ? `${name}: readiness fell in ${count(fell.length)}`
        : `${name}: readiness rose in ${count(rose.length)}`,
      body: [...shown, ...(report.branch ? [`Branch ${report.branch}`] : [])].join('\n'),
      sessionId: null,
      project: name,
      at: report.createdAt,
      attributes: { report_id: report.reportId, repo_url: report.repoUrl },
    },
  ];
}

const count = (criteria: number): string => (criteria === 1 ? '1 criterion' : `${criteria} criteria`);

/** "payments" of "https://host/org/payments.git". */
function repositoryName(url: string): string {
  return (
    url
      .replace(/(?<!\/)\/+$/, '')
      .replace(/\.git$/, '')
      .split(/[/:]/)
      .at(-1) || url
  );
}
