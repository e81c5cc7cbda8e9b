// What the usage page shows of the organization's service: which read, and what of a day is drawn.

/** A row as the service sends it. */
export type Row = Readonly<Record<string, unknown>>;

export interface View {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** Of the axis. */
  readonly unit: string;
  readonly method: 'tokens' | 'tools' | 'activity' | 'productivity';
  /** Days add up to something. */
  readonly sums: boolean;
  /** What one day has, by series. */
  readonly day: (row: Row) => ReadonlyMap<string, number>;
}

/** The list in a row, as name and number; `names`: fields that may hold the name, the first that does. */
const byName =
  (list: string, names: readonly string[], count: string) =>
  (row: Row): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    for (const one of rowsOf(row[list])) {
      const key = String(
        names.map((name) => one[name]).find((name) => typeof name === 'string' && name !== '') ?? 'unknown',
      );
      found.set(key, (found.get(key) ?? 0) + numberOf(one[count]));
    }
    return found;
  };

/** Fields of the row itself, under the names that are shown. */
const fields =
  (names: Readonly<Record<string, string>>) =>
  (row: Row): ReadonlyMap<string, number> =>
    new Map(Object.entries(names).map(([title, field]) => [title, numberOf(row[field])]));

export const VIEWS: readonly View[] = [
  {
    name: 'models',
    title: 'Tokens by model',
    unit: 'billable tokens',
    sums: true,
    method: 'tokens',
    day: byName('by_model', ['model_id'], 'billable_tokens'),
  },
  {
    name: 'users',
    title: 'Tokens by user',
    unit: 'billable tokens',
    sums: true,
    method: 'tokens',
    day: byName('by_user', ['user_email', 'user_id'], 'billable_tokens'),
  },
  {
    name: 'activity',
    title: 'Activity by client',
    unit: 'people active that day',
    sums: false,
    method: 'activity',
    day: (row) =>
      new Map(
        Object.entries((row['daily_active_users_by_client'] ?? {}) as Row).map(([name, count]) => [
          name,
          numberOf(count),
        ]),
      ),
  },
  {
    name: 'tools',
    title: 'Tools',
    unit: 'invocations',
    sums: true,
    method: 'tools',
    day: byName('by_tool', ['tool'], 'invocations'),
  },
  {
    name: 'productivity',
    title: 'Productivity',
    unit: 'count',
    sums: true,
    method: 'productivity',
    day: fields({
      'files created': 'files_created',
      'files edited': 'files_edited',
      commits: 'git_commits',
      'pull requests': 'git_prs_created',
    }),
  },
  {
    name: 'autonomy',
    title: 'Autonomy',
    unit: 'tool calls per turn of a person',
    sums: false,
    method: 'tools',
    day: fields({ average: 'autonomy_ratio_avg', median: 'autonomy_ratio_p50', '90 %': 'autonomy_ratio_p90' }),
  },
];

/** The rows in a list; none where it is no list. */
export const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as readonly Row[]) : []);

const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

/** Days with a number for each series. */
export interface Table {
  readonly days: readonly string[];
  /** The largest first. */
  readonly series: readonly {
    readonly name: string;
    /** Null: nothing is known of that day. */
    readonly values: readonly (number | null)[];
    readonly sum: number;
  }[];
}

/** Rows of the service as a table: one column a series, one line a day. */
export function tableOf(rows: readonly Row[], day: View['day']): Table {
  const sorted = [...rows].sort((a, b) => (String(a['date']) < String(b['date']) ? -1 : 1));
  const found = sorted.map(day);
  const names = [...new Set(found.flatMap((one) => [...one.keys()]))];
  const series = names.map((name) => {
    const values = found.map((one) => one.get(name) ?? 0);
    return { name, values, sum: values.reduce((sum, value) => sum + value, 0) };
  });
  return { days: sorted.map((row) => String(row['date'])), series: series.sort((a, b) => b.sum - a.sum) };
}
