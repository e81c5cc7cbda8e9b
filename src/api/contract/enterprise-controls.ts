// Enterprise controls: who changed the organization's settings, and to what (sections 2.8 and 4.3 of docs/contributing/service-interface.md).
import * as z from 'zod';
import { cursorPages, pagination } from './cursor-pages.ts';
import { endpoint } from './endpoint.ts';
import { compareRevisions, NOT_HERE } from '../changes/revision-changes.ts';
import { describeChange } from '../changes/settings-difference.ts';
import { count, id, json, loose, maybe, none } from './fields.ts';

const change = loose({
  revision: z.number(),
  settings: json.meta({ description: 'Snapshot of the settings. Names may come and go between versions.' }),
  user: maybe(loose({ id: maybe(z.string()), email: maybe(z.string()), name: maybe(z.string()) })),
  updatedAt: maybe(z.string().meta({ description: 'ISO 8601 date-time' })),
});

const page = loose({
  changes: z.array(change),
  pagination,
});

/** Most changes of a revision that are spelled out. */
const MOST_CHANGES = 12;

/** Each revision with what it changed, in words. */
const withChanges = (rows: readonly Readonly<Record<string, unknown>>[], whole: boolean): Record<string, unknown>[] =>
  compareRevisions(rows, whole).map(({ row, changes, note }) => {
    const more = changes.length - MOST_CHANGES;
    const shown = [
      ...changes.slice(0, MOST_CHANGES).map(describeChange),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join('; ');
    return { ...row, changed: note === null ? shown : note.endsWith(NOT_HERE) ? `${note} (--all)` : note };
  });

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
    pages: cursorPages('revision'),
    summary: 'Past revisions of the enterprise settings, newest first.',
  }),
};
