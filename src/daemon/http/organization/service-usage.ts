// Readiness reports and revisions of the organization's settings, each compared with the one before it, for the usage pages.
import { setImmediate } from 'node:timers/promises';
import type { Client } from '../../../api/index.ts';
import type { ApiCall, ApiResult } from '../../../http/api/contract.ts';
import type { Handlers } from '../../../http/api/routes.ts';
import type { Criteria, Move } from '../../../api/changes/readiness-changes.ts';
import type { ComparedRevision } from '../../../api/changes/revision-changes.ts';
import { iso } from '../../../model/row-json.ts';
import type { CommandContext } from '../../commands/context.ts';
import { answered, clientOf } from './service-client.ts';

type Report = Awaited<ReturnType<Client['readinessReports']['list']>>['reports'][number];
type Revision = Awaited<ReturnType<Client['enterpriseControls']['history']>>['changes'][number];
type Range = ApiCall<'service.readiness'>['query'];

/** Most pages of 100 that are read for one answer. */
const MOST_PAGES = 20;

export function usageHandlers(context: CommandContext): Pick<Handlers, 'service.readiness' | 'service.controls'> {
  return {
    'service.readiness': ({ query }) => answered(() => readiness(clientOf(context), query)),
    'service.controls': ({ query }) => answered(() => controls(clientOf(context), query)),
  };
}

/** Whether this day, UTC, is one of those asked for; what has no time always is. */
function isWithin(at: string | null, { from, to }: Range): boolean {
  const day = at?.slice(0, 10);
  return day === undefined || ((from === undefined || day >= from) && (to === undefined || day <= to));
}

async function readiness(client: Client, range: Range): Promise<ApiResult<'service.readiness'>> {
  const { falls, rises } = await import('../../../api/changes/readiness-changes.ts');
  const reports: Report[] = [];
  let pages = 0;
  // Their order is not specified, so all have to be seen.
  for await (const page of client.readinessReports.list.pages({ limit: 100 })) {
    reports.push(...page.reports);
    if (++pages >= MOST_PAGES) break;
  }
  const latest = new Map<string, Criteria>();
  const rows = reports
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((report) => {
      const criteria = criteriaOf(report);
      const before = latest.get(report.repoUrl) ?? {};
      latest.set(report.repoUrl, criteria);
      return rowOf(report, criteria, { fell: falls(before, criteria), rose: rises(before, criteria) });
    });
  return { reports: rows.filter(({ at }) => isWithin(at, range)).reverse(), complete: pages < MOST_PAGES };
}

const criteriaOf = ({ report }: Report): Criteria =>
  Object.fromEntries(
    Object.entries(report).map(([id, { numerator, denominator }]) => [id, [numerator, denominator] as const]),
  );

function rowOf(
  { reportId, repoUrl, createdAt, branch, report }: Report,
  criteria: Criteria,
  { fell, rose }: { readonly fell: readonly Move[]; readonly rose: readonly Move[] },
): ApiResult<'service.readiness'>['reports'][number] {
  const below = Object.entries(criteria).flatMap(([name, [passing, of]]) => (passing < of ? [name] : []));
  const all = Object.keys(criteria).length;
  const moved = ({ criterion, before, after }: Move) => ({
    criterion,
    rationale: report[criterion]?.rationale ?? null,
    before: [...before] as [number, number],
    after: [...after] as [number, number],
  });
  return {
    id: reportId,
    repository: repoUrl,
    branch: branch ?? null,
    at: new Date(createdAt).toISOString(),
    passed: all - below.length,
    criteria: all,
    below,
    fell: fell.map(moved),
    rose: rose.map(moved),
  };
}

async function controls(client: Client, range: Range): Promise<ApiResult<'service.controls'>> {
  const [{ compareRevisions }, { describeChange, sidesOf }, { loosens }] = await Promise.all([
    import('../../../api/changes/revision-changes.ts'),
    import('../../../api/changes/settings-difference.ts'),
    import('../../../api/changes/loosened-settings.ts'),
  ]);
  const { revisions, whole, complete } = await revisionsSince(client, range.from);
  const rows = (await inTurns(revisions, whole, compareRevisions)).map(({ row, changes, note }) => ({
    revision: row.revision,
    at: iso(timeOf(row)),
    note,
    by: row.user?.name ?? row.user?.email ?? row.user?.id ?? null,
    changes: changes.map((change) => ({
      path: change.path,
      ...sidesOf(change),
      loosens: loosens(change),
      text: describeChange(change),
    })),
  }));
  return { revisions: rows.filter(({ at }) => isWithin(at, range)), complete };
}

/** Revisions that are compared at once: hooks are acknowledged in between. */
const TURN = 20;

async function inTurns(
  revisions: readonly Revision[],
  whole: boolean,
  compare: (rows: readonly Revision[], whole: boolean) => ComparedRevision<Revision>[],
): Promise<readonly ComparedRevision<Revision>[]> {
  const sorted = [...revisions].sort((a, b) => b.revision - a.revision);
  const compared: ComparedRevision<Revision>[] = [];
  for (let from = 0; from < sorted.length; from += TURN) {
    const isLast = from + TURN >= sorted.length;
    // One more than are taken: what the oldest of them is compared with.
    compared.push(...compare(sorted.slice(from, from + TURN + 1), whole && isLast).slice(0, TURN));
    await setImmediate();
  }
  return compared;
}

/** Newest first, until one is older than `from`: what the oldest of the range is compared with. `whole`: there are none before them. */
async function revisionsSince(
  client: Client,
  from: string | undefined,
): Promise<{ readonly revisions: Revision[]; readonly whole: boolean; readonly complete: boolean }> {
  const revisions: Revision[] = [];
  let pages = 0;
  for await (const page of client.enterpriseControls.history.pages({ limit: 100 })) {
    revisions.push(...page.changes);
    const older = from !== undefined && page.changes.some((one) => (iso(timeOf(one)) ?? from).slice(0, 10) < from);
    if (older) return { revisions, whole: false, complete: true };
    if (++pages >= MOST_PAGES) return { revisions, whole: false, complete: false };
  }
  return { revisions, whole: true, complete: true };
}

/** Unix ms; null: the service does not say, or says something else than a time. */
function timeOf({ updatedAt }: Revision): number | null {
  const at = Date.parse(updatedAt ?? '');
  return Number.isNaN(at) ? null : at;
}
