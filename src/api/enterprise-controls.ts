// Enterprise controls: who changed the organization's settings, and to what (sections 2.8 and 4.3 of docs/service-interface.md).
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { difference, type Json, describeChange, withoutSecrets } from './settings-difference.ts';
import { count, id, json, loose, maybe, none } from './fields.ts';

const change = loose({
  revision: z.number(),
  settings: json.meta({ description: 'Snapshot of the settings. Names may come and go between versions.' }),
  user: maybe(loose({ id: maybe(z.string()), email: maybe(z.string()), name: maybe(z.string()) })),
  updatedAt: maybe(z.string().meta({ description: 'ISO 8601 date-time' })),
});

const page = loose({
  changes: z.array(change),
  pagination: maybe(loose({ hasMore: maybe(z.boolean()), nextCursor: maybe(z.string()) })),
});

/** Most changes of a revision that are spelled out. */
const MOST_CHANGES = 12;

/** Each revision with what it changed, by the one before it; secrets are never shown. */
function withChanges(rows: readonly Readonly<Record<string, unknown>>[], whole: boolean): Record<string, unknown>[] {
  const ordered = [...rows].sort((a, b) => Number(a['revision']) - Number(b['revision']));
  const before = new Map(ordered.map((row, i) => [row, ordered[i - 1]]));
  return rows.map((row) => ({ ...row, changed: changesInWords(row, before.get(row), whole) }));
}

type Row = Readonly<Record<string, unknown>>;

function changesInWords(row: Row, before: Row | undefined, whole: boolean): string {
  const after = settingsOf(row);
  if (!before || Number(before['revision']) !== Number(row['revision']) - 1) {
    const count = `${Object.keys(after).length} settings`;
    return !before && (whole || row['revision'] === 1)
      ? `first revision: ${count}`
      : `${count}; the revision before is not in this list (--all)`;
  }
  const changes = difference(settingsOf(before), after).map(describeChange);
  if (changes.length === 0) return 'nothing differs';
  const more = changes.length - MOST_CHANGES;
  return [...changes.slice(0, MOST_CHANGES), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** The answer has been read as JSON. */
const settingsOf = (row: Row): { readonly [key: string]: Json } =>
  withoutSecrets(json.parse(row['settings']) as Json) as { readonly [key: string]: Json };

/** `client.enterpriseControls`, `belfry api enterprise-controls`. */
export const enterpriseControls = {
  history: endpoint({
    method: 'GET',
    host: 'base',
    path: '/api/v0/organization/enterprise-controls/history',
    params: none,
    query: z.strictObject({
      limit: count(1, 100).optional(),
      cursor: id.optional().meta({ description: 'where to go on, as the page before said' }),
    }),
    body: none,
    status: 200,
    result: page,
    failures: [],
    error: json,
    role: 'any',
    auth: 'key-or-jwt',
    repeat: 'any-fault',
    section: '4.3',
    rows: 'changes',
    time: { field: 'updatedAt', newestFirst: true },
    columns: ['revision', 'updatedAt', 'user.name', 'changed', 'user.email'],
    rest: { column: 'changed', lines: 6 },
    compare: withChanges,
    pages: {
      parameter: 'cursor',
      next: (result) => {
        const { pagination } = page.parse(result);
        return pagination?.hasMore === false ? null : (pagination?.nextCursor ?? null);
      },
      more: (result) => page.parse(result).pagination?.hasMore ?? null,
      key: 'revision',
    },
    summary: 'Past revisions of the enterprise settings, newest first.',
  }),
};
