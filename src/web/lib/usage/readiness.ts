// Readiness reports as a table of days: the share of criteria that each repository passes, until its next report.
import type { Table } from './usage-views.ts';

interface Report {
  readonly repository: string;
  readonly at: string;
  readonly passed: number;
  readonly criteria: number;
}

/** `acme/payments` of `https://git.example.com/acme/payments.git`. */
export function repositoryName(url: string): string {
  const parts = url
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .filter((part) => part !== '');
  return parts.length < 3 ? url : parts.slice(-2).join('/');
}

/** Days on which there is a report, with the share of each repository in percent; nothing before its first. */
export function readinessTable(reports: readonly Report[]): Table {
  const oldestFirst = [...reports].sort((a, b) => (a.at < b.at ? -1 : 1));
  const days = [...new Set(oldestFirst.map(({ at }) => at.slice(0, 10)))];
  const repositories = [...new Set(oldestFirst.map(({ repository }) => repository))].sort();
  const series = repositories.map((name) => {
    const own = oldestFirst.filter(({ repository }) => repository === name);
    const values = days.map((day) => {
      const latest = own.findLast(({ at }) => at.slice(0, 10) <= day);
      return latest === undefined || latest.criteria === 0 ? null : (100 * latest.passed) / latest.criteria;
    });
    return { name: repositoryName(name), values, sum: values.at(-1) ?? 0 };
  });
  return { days, series };
}
