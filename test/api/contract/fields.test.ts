// Section 2 of the specification, row by row: each field comes through, a wrong type or a missing required one is named.
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/api/contract/contract.ts';
import type { Endpoint } from '../../../src/api/contract/endpoint.ts';
import { names, tableRows } from '../../support/specification.ts';

type Row = Record<string, unknown>;

/** Where a section's rows stand in an answer, with the least such a row needs. */
interface Place {
  readonly endpoint: Endpoint;
  readonly least: Row;
  readonly answer: (row: Row) => Row;
}

const meta = { org_id: 'o', start_date: '2026-02-01', end_date: '2026-02-01' };
const rows = (endpoint: Endpoint, least: Row): Place => ({
  endpoint,
  least,
  answer: (row) => ({ data: [row], meta }),
});
const { analytics, readinessReports, enterpriseControls, computers, sessions, usageLimits } = contract;
const report = { reportId: 'r', createdAt: 1, repoUrl: 'https://git.example.com/r', apps: {}, report: {} };
const session = { sessionId: 's', status: 'idle', messageCount: 0, createdAt: 1, updatedAt: 1 };

const places: Record<string, Place> = {
  '2.1': { endpoint: analytics.users, least: { data: [], meta }, answer: (row) => row },
  '2.2': rows(analytics.tokens, { date: '2026-02-01', billable_tokens: 1 }),
  '2.3': rows(analytics.tools, { date: '2026-02-01', tool_calls: 1 }),
  '2.4': rows(analytics.activity, { date: '2026-02-01', daily_active_users: 1 }),
  '2.5': rows(analytics.productivity, { date: '2026-02-01' }),
  '2.6': rows(analytics.users, { user_id: 'u', date: '2026-02-01' }),
  '2.7': { endpoint: readinessReports.list, least: report, answer: (row) => ({ reports: [row] }) },
  '2.8': {
    endpoint: enterpriseControls.history,
    least: { revision: 1, settings: {} },
    answer: (row) => ({ changes: [row], pagination: { hasMore: false, nextCursor: null } }),
  },
  '2.9': {
    endpoint: computers.get,
    least: { id: 'c', name: 'n', providerType: 'byom', createdAt: 1 },
    answer: (row) => row,
  },
  '2.10': { endpoint: sessions.get, least: session, answer: (row) => row },
  '2.11': {
    endpoint: sessions.message,
    least: { id: 'm', role: 'user', content: [], createdAt: 1, updatedAt: 1 },
    answer: (row) => row,
  },
};

/** A value of the type a row of the specification names. */
function sampleOf(type: string): unknown {
  if (/^array of string/.test(type)) return ['a'];
  if (/^array/.test(type)) return [];
  if (/^(number|integer)/.test(type)) return 3;
  if (/^object/.test(type)) return {};
  if (/^boolean/.test(type)) return true;
  return 'word';
}

const cases = Object.entries(places).flatMap(([section, place]) =>
  tableRows(section)
    // The properties of `settings` are generic: they have a test of their own below.
    .filter((cells) => !(section === '2.8' && cells.length === 2))
    .flatMap(([field = '', type = '', third = '']) =>
      names(field).map((name) => ({ section, name, type, required: third === 'yes', optional: third === 'no', place })),
    ),
);

test('the tables of section 2 were read', () => {
  expect(cases.length).toBeGreaterThan(110);
});

const parse = (place: Place, row: Row) => place.endpoint.result.safeParse(place.answer(row));
const pathsOf = (place: Place, row: Row): string =>
  parse(place, row)
    .error?.issues.map((issue) => issue.path.join('.'))
    .join(' ') ?? '';

describe('each field of section 2', () => {
  test.each(cases)('$section $name: $type comes through, another type is named', ({ name, type, place }) => {
    const row = { ...place.least, [name]: place.least[name] ?? sampleOf(type) };
    expect(parse(place, row).success).toBe(true);
    const wrong = Array.isArray(sampleOf(type)) || typeof sampleOf(type) === 'object' ? 7 : { not: 'this' };
    expect(pathsOf(place, { ...place.least, [name]: wrong })).toMatch(new RegExp(`(^|\\.)${name}( |$)`));
  });

  test.each(cases.filter(({ required }) => required))(
    '$section $name is named when it is missing',
    ({ name, place }) => {
      const { [name]: _, ...row } = place.least;
      expect(pathsOf(place, row)).toContain(name);
    },
  );

  test.each(cases.filter(({ optional }) => optional))('$section $name may be missing or null', ({ name, place }) => {
    expect(parse(place, place.least).success).toBe(true);
    expect(parse(place, { ...place.least, [name]: null }).success).toBe(true);
  });
});

describe('2.8 settings', () => {
  const properties = tableRows('2.8').filter((cells) => cells.length === 2);
  test.each(properties.flatMap(([field = '']) => names(field)).map((name) => ({ name })))(
    '$name survives, whatever it holds',
    ({ name }) => {
      for (const value of [null, true, 3, 'x', ['a'], { deep: [{ er: 1 }] }]) {
        const answer = places['2.8']?.answer({ revision: 1, settings: { [name]: value } });
        expect(enterpriseControls.history.result.parse(answer)).toEqual(answer);
      }
    },
  );
});

describe('2.10 session settings', () => {
  const settings = {
    model: 'm',
    reasoningEffort: 'none',
    interactionMode: 'auto',
    autonomyLevel: 'off',
    autonomyMode: 'normal',
    specModeModel: 'm',
    specModeReasoningEffort: 'none',
    providerLock: 'vendorC',
    providerLockTimestamp: '2026-02-01T00:00:00Z',
    apiProviderLock: 'cloudhost',
    assistantActiveTimeMs: 5,
    archivedAt: '2026-02-01T00:00:00Z',
    tags: [{ name: 't', metadata: { a: 1 } }],
    enabledToolIds: ['a'],
    disabledToolIds: ['b'],
    tokenUsage: { inputTokens: 1, outputTokens: 2, cacheCreationTokens: 3, cacheReadTokens: 4, thinkingTokens: 5 },
  };
  test.each(Object.entries(settings).map(([name, value]) => ({ name, value })))('$name', ({ name, value }) => {
    const answer = { ...session, sessionSettings: { [name]: value } };
    expect(sessions.get.result.parse(answer)).toEqual(answer);
    expect(sessions.get.result.safeParse({ ...session, sessionSettings: { [name]: 7n } }).success).toBe(false);
  });
});

describe('2.12 user credit limit entry', () => {
  const set = usageLimits.set;
  test('an entry and an error entry come through', () => {
    const answer = {
      updated: [{ email: 'a@example.com', limit: 1.5 }],
      errors: [{ email: 'b@example.com', error: 'no' }],
    };
    expect(set.result.parse(answer)).toEqual(answer);
  });
  test.each([['updated'], ['errors']])('%s is required', (name) => {
    const issues = set.result.safeParse({ [name === 'updated' ? 'errors' : 'updated']: [] }).error?.issues;
    expect(issues?.[0]?.path).toEqual([name]);
  });
});

describe('what is not documented is let through', () => {
  test.each(Object.entries(places).map(([section, place]) => ({ section, place })))(
    '$section: fields nobody knows',
    ({ place }) => {
      const answer = { ...place.answer({ ...place.least, later: { x: 1 } }), beside: [1] };
      expect(place.endpoint.result.parse(answer)).toEqual(answer);
    },
  );
  test.each([
    [{ ...session, status: 'hibernating' }, sessions.get],
    [
      {
        ...places['2.9']?.least,
        providerType: 'orbital',
        status: 'melting',
        provisioningSteps: [{ id: 'x', status: 'y' }],
      },
      computers.get,
    ],
    [
      { ...places['2.11']?.least, role: 'oracle', visibility: 'nobody', content: [{ type: 'hologram', beam: 1 }] },
      sessions.message,
    ],
  ] as [Row, Endpoint][])('values nobody knows: %j', (answer, endpoint) => {
    expect(endpoint.result.parse(answer)).toEqual(answer);
  });
});
