// What a person at a terminal sees: aligned and grouped numbers, bars, totals of what may be added up, colour for states.
import { expect, test } from 'vitest';
import { contract } from '../../src/api/contract/contract.ts';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { show } from '../../src/cli/api/output/show-answer.ts';
import type { Io } from '../../src/cli/io.ts';
import { processIo } from '../../src/cli/io.ts';

/** What is printed on a terminal of so many columns. */
function seen(endpoint: Endpoint, answer: Record<string, unknown>, more: Partial<Io> = {}, part = false): string {
  const lines: string[] = [];
  const io = {
    ...processIo(false),
    tty: true,
    color: false,
    columns: 100,
    line: (text: string) => void lines.push(text),
    ...more,
  };
  show(io, endpoint, answer, { csv: false, raw: false, part });
  return lines.join('\n');
}

test('days: bars by the main number, totals below, absent columns left out', () => {
  const data = [
    {
      date: '2026-02-01',
      billable_tokens: 1_234_567,
      input_tokens: 1_000,
      output_tokens: null,
      by_model: [{ model_id: 'm', billable_tokens: 5 }],
    },
    { date: '2026-02-02', billable_tokens: 617_283, input_tokens: 25, output_tokens: 7.256, by_model: [] },
  ];
  expect(seen(contract.analytics.tokens, { data })).toBe(
    [
      'date                      billable_tokens  input_tokens  output_tokens  by_model',
      '2026-02-01  ████████████        1,234,567         1,000              –  m 5',
      '2026-02-02  ██████                617,283            25           7.26',
      'total                           1,851,850         1,025           7.26',
    ].join('\n'),
  );
});

const wide = (line: string): number => [...line].length;
const day = (i: number) => `2026-02-${String(i + 1).padStart(2, '0')}`;
const week = Array.from({ length: 7 }, (_, i) => ({
  date: day(i),
  billable_tokens: 1_000_000 * (i + 1),
  input_tokens: 2_000_000,
  output_tokens: 300_000,
  cache_read_tokens: 4_000_000,
  by_model: [
    { model_id: 'atlas-2', billable_tokens: 900_000 * (i + 1) },
    { model_id: '小さなモデル', billable_tokens: 100_000 * (i + 1) },
  ],
}));

test.each([60, 80, 120])('%i columns: nothing is wider, whole columns go first and it is said', (columns) => {
  const lines = seen(contract.analytics.tokens, { data: week }, { columns }).split('\n');
  expect(lines.filter((line) => wide(line) > columns)).toEqual([]);
  expect(lines.some((line) => line.includes('…'))).toBe(false);
  expect(lines.some((line) => line.startsWith('No room for '))).toBe(columns < 120);
  expect(lines.some((line) => line.startsWith('total '))).toBe(true);
});

test('charts: how the days went, and who has how much', () => {
  const text = seen(contract.analytics.tokens, { data: week }, { columns: 80 });
  expect(text).toMatch(/^billable_tokens +▂▃▄▅▆▇█ +1,000,000 to 7,000,000$/m);
  expect(text).toMatch(/^billable_tokens by model$/m);
  expect(text).toMatch(/^atlas-2 +25,200,000 +90 % {2}█+ +▂▃▄▅▆▇█$/m);
});

test('a part of a list is not added up and not charted', () => {
  const data = [1, 2, 3].map((i) => ({ user_id: `u${i}`, user_email: `u${i}@x`, date: day(i), billable_tokens: i }));
  const whole = seen(contract.analytics.users, { data });
  const part = seen(contract.analytics.users, { data }, {}, true);
  expect([/^total/m.test(whole), /by user/.test(whole)]).toEqual([true, true]);
  expect([/^total/m.test(part), /by user/.test(part)]).toEqual([false, false]);
});

test('the history says what changed, and no secret', () => {
  const change = (revision: number, settings: object) => ({
    revision,
    settings,
    updatedAt: '2026-02-01T10:20:30.000Z',
  });
  const text = seen(contract.enterpriseControls.history, {
    changes: [
      change(3, { days: 30, list: ['a', 'b'], customModels: [{ id: 'm', apiKey: 'hunter2' }] }),
      change(2, { days: 90, list: ['a'], customModels: [{ id: 'm', apiKey: 'hunter1' }] }),
    ],
  });
  expect(text).toContain('days: 90 -> 30; list: added b;');
  expect(text).toContain('2026-02-01 10:20Z');
  expect(text).not.toContain('hunter');
});

test('MCP servers have one spelling over all days', () => {
  const data = [
    { date: day(0), tool_calls: 1, mcp_by_server: [{ server: 'GitHub', invocations: 2 }] },
    { date: day(1), tool_calls: 1, mcp_by_server: [{ server: 'github', invocations: 5 }] },
  ];
  expect(seen(contract.analytics.tools, { data })).not.toContain('GitHub');
});

test('users are not added up over days or clients', () => {
  const data = [1, 2].map((day) => ({
    date: `2026-02-0${day}`,
    daily_active_users: 3,
    sessions: 4,
    daily_active_users_by_client: { 'terminal-ui': 3, web: 2 },
  }));
  const last = seen(contract.analytics.activity, { data }).split('\n').at(-1);
  expect(last?.trim().split(/\s+/)).toEqual(['total', '8']);
});

test('colour for a state that is an error; no line wider than the terminal', () => {
  const computer = { id: 'c', name: 'box', providerType: 'byom', createdAt: Date.UTC(2026, 1, 1) };
  const computers = [
    { ...computer, status: 'active' },
    {
      ...computer,
      status: 'error',
      provisioningSteps: [{ id: 'x', name: 'Install', status: 'failed', error: 'disk full' }],
    },
  ];
  const [, good = '', bad = ''] = seen(contract.computers.list, { computers }, { color: true }).split('\n');
  expect(good).toMatch(/^\u001b\[32mbox {3}active.*\u001b\[39m$/);
  expect(bad).toMatch(/^\u001b\[31mbox {3}error {3}c {3}Install: disk full .*2026-02-01 00:00Z\u001b\[39m$/);
  const narrow = seen(contract.computers.list, { computers }, { columns: 30 }).split('\n');
  expect(narrow.every((line) => [...line].length <= 30)).toBe(true);
});

test('one thing: a field a line, all of them', () => {
  const session = { sessionId: 's', status: 'idle', messageCount: 2, createdAt: 1, updatedAt: 1, later: 'x' };
  expect(seen(contract.sessions.get, session).split('\n')).toEqual([
    'sessionId     s',
    'status        idle',
    'messageCount  2',
    'createdAt     1',
    'updatedAt     1',
    'later         x',
  ]);
});

test('readiness in words', () => {
  const report = (numerator: number) => ({ numerator, denominator: 2, rationale: 'r' });
  const reports = [
    { reportId: 'r', createdAt: 1, repoUrl: 'u', apps: {}, report: { readme: report(2), tests: report(1) } },
  ];
  expect(seen(contract.readinessReports.list, { reports })).toContain('1 of 2 pass; below: tests');
});

test('an empty list says so', () => {
  expect(seen(contract.computers.list, { computers: [] })).toBe('No computers.');
});
