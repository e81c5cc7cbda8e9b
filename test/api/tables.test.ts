// What a person at a terminal sees: aligned and grouped numbers, bars, totals of what may be added up, colour for states.
import { expect, test } from 'vitest';
import { contract } from '../../src/api/contract.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { show } from '../../src/cli/api/show.ts';
import type { Io } from '../../src/cli/io.ts';
import { processIo } from '../../src/cli/io.ts';

/** What is printed on a terminal of so many columns. */
function seen(endpoint: Endpoint, answer: Record<string, unknown>, more: Partial<Io> = {}): string {
  const lines: string[] = [];
  const io = {
    ...processIo(false),
    tty: true,
    color: false,
    columns: 100,
    line: (text: string) => void lines.push(text),
    ...more,
  };
  show(io, endpoint, answer, { csv: false, raw: false });
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
      'date                      billable tokens  input tokens  output tokens  by model',
      '2026-02-01  ▇▇▇▇▇▇▇▇▇▇▇▇        1,234,567         1,000              –  m 5',
      '2026-02-02  ▇▇▇▇▇▇                617,283            25           7.26',
      'total                           1,851,850         1,025           7.26',
    ].join('\n'),
  );
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
  expect(bad).toMatch(/^\u001b\[31mbox {3}error {2}.*2026-02-01 00:00Z {2}Install disk full\u001b\[39m$/);
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

test('nothing there', () => {
  expect(seen(contract.computers.list, { computers: [] })).toBe('nothing there');
});
