// The mock's readiness reports: sixteen a repository, newest first: three pages.
import type { Contract } from '../api/contract/contract.ts';
import type { Output } from '../api/contract/endpoint.ts';
import { between, hex, seeded, uuid } from './random.ts';
import { type Handlers, pageOf } from './service.ts';

type Report = Output<Contract['readinessReports']['list']>['reports'][number];

/** The reports and what tests may do to them. */
export interface Readiness {
  readonly handlers: Handlers['readinessReports'];
  /** Adds a newer report of a repository with these criteria replaced. */
  readonly add: (repoId: string, criteria: Report['report']) => void;
}

/** Repository id and URL. */
const REPOS: readonly (readonly [string, string])[] = [
  ['repo-payments', 'https://git.example.com/acme/payments'],
  ['repo-website', 'https://git.example.com/acme/website'],
  ['repo-infra', 'https://git.example.com/acme/infra'],
];

const CRITERIA = ['readme', 'lint_config', 'unit_tests', 'integration_tests', 'ci_pipeline', 'dev_environment'];

/** Days since each report of a repository, oldest first. */
const AGES = Array.from({ length: 16 }, (_, i) => 3 + (15 - i) * 14);

/** The reports of this seed. */
export function readinessOf(seed: string, now: () => number): Readiness {
  const reports: (Report & { repoId: string })[] = [];
  const add = (repoId: string, criteria: Report['report'], at: number): void => {
    const repoUrl = REPOS.find(([id]) => id === repoId)?.[1] ?? `https://git.example.com/acme/${repoId}`;
    const draw = seeded(seed, 'report', repoId, reports.length);
    reports.unshift({
      reportId: uuid(draw),
      createdAt: at,
      repoId,
      repoUrl,
      apps: { 'apps/api': { description: 'HTTP service' }, 'apps/web': { description: 'Web page' } },
      report: criteria,
      commitHash: hex(draw, 5),
      branch: 'main',
      hasLocalChanges: false,
      hasNonRemoteCommits: false,
      modelUsed: { id: 'atlas-2', reasoningEffort: 'medium' },
      agentVersion: '1.4.0',
    });
  };
  const start = now();
  for (const age of AGES)
    for (const [i, [repoId]] of REPOS.entries()) {
      const draw = seeded(seed, 'criteria', repoId, age);
      const criteria = CRITERIA.map((name) => {
        const numerator = between(draw, 0, 2);
        return [
          name,
          { numerator, denominator: 2, rationale: `${numerator} of 2 applications pass ${name}.` },
        ] as const;
      });
      add(repoId, Object.fromEntries(criteria), start - age * 86_400_000 + i * 60_000);
    }
  return {
    handlers: {
      list: (input) => {
        const wanted = reports.filter((report) => input.repoId === undefined || report.repoId === input.repoId);
        const page = { limit: input.limit, cursor: input.startAfter };
        return { reports: pageOf(wanted, (report) => report.reportId, page).items };
      },
    },
    add: (repoId, criteria) => {
      const before = reports.find((report) => report.repoId === repoId);
      add(repoId, { ...before?.report, ...criteria }, now());
    },
  };
}
