// A day's figures against the mean of the seven days before, as lines for a person.

/** A day of the organization; null: the service did not say. */
export interface Figures {
  readonly tokens: number | null;
  readonly activeUsers: number | null;
  readonly toolCalls: number | null;
  readonly autonomy: number | null;
  readonly commits: number | null;
  readonly pullRequests: number | null;
}

/** Who or what used how many billable tokens. */
export interface Share {
  readonly name: string;
  readonly tokens: number;
}

const ROWS: readonly { readonly key: keyof Figures; readonly label: string; readonly digits: number }[] = [
  { key: 'tokens', label: 'Tokens', digits: 0 },
  { key: 'activeUsers', label: 'Active users', digits: 0 },
  { key: 'toolCalls', label: 'Tool calls', digits: 0 },
  { key: 'autonomy', label: 'Autonomy', digits: 1 },
  { key: 'commits', label: 'Commits', digits: 0 },
  { key: 'pullRequests', label: 'Pull requests', digits: 0 },
];

/** "Tokens 1,234,567 (+12 % against the 7 days before)". */
export function lines(day: Figures, before: readonly Figures[]): string[] {
  return ROWS.flatMap(({ key, label, digits }) => {
    const value = day[key];
    if (value === null) return [];
    const known = before.map((other) => other[key]).filter((other) => other !== null);
    return [`${label} ${formatNumber(value, digits)}${known.length === 0 ? '' : ` (${against(value, known)})`}`];
  });
}

function against(value: number, before: readonly number[]): string {
  const mean = before.reduce((sum, other) => sum + other, 0) / before.length;
  const days = before.length === 1 ? 'the day before' : `the ${before.length} days before`;
  if (mean === 0) return value === 0 ? `as ${days}` : `none in ${days}`;
  const percent = Math.round((value / mean - 1) * 100);
  return percent === 0
    ? `as ${days}`
    : `${percent > 0 ? '+' : '−'}${formatNumber(Math.abs(percent), 0)} % against ${days}`;
}

/** "Models: a 1,234 · b 56", the largest first. */
export function shares(label: string, all: readonly Share[], most = 5): string[] {
  const used = all
    .filter((share) => share.tokens > 0)
    .sort((a, b) => b.tokens - a.tokens || a.name.localeCompare(b.name));
  if (used.length === 0) return [];
  const rest = used.length > most ? ` · ${used.length - most} more` : '';
  return [
    `${label}: ${used
      .slice(0, most)
      .map((share) => `${share.name} ${formatNumber(share.tokens, 0)}`)
      .join(' · ')}${rest}`,
  ];
}

/** Grouped by thousands, the same in every locale. */
export function formatNumber(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The UTC day `days` after `day`, as YYYY-MM-DD. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Yesterday in UTC: the newest day the service can have (section 8). */
export function yesterdayOf(now: number): string {
  return new Date(now - 86_400_000).toISOString().slice(0, 10);
}
