// Names that differ only in case are one thing to people: the service counts them apart.
import type { Endpoint } from '../../../api/contract/endpoint.ts';

type Row = Readonly<Record<string, unknown>>;

/** The rows with such items added up, under the spelling used most in all rows together. */
export function mergeSpellings(rows: readonly Row[], { list, name, count }: NonNullable<Endpoint['merge']>): Row[] {
  const spelling = spellings(rows, { list, name, count });
  return rows.map((row) => {
    const items = row[list];
    if (!Array.isArray(items)) return row;
    const merged = new Map<string, Row>();
    for (const item of items as Row[]) {
      const key = String(item[name]).toLowerCase();
      const before = merged.get(key);
      const total = Number(item[count] ?? 0) + Number(before?.[count] ?? 0);
      merged.set(key, { ...item, ...before, [name]: spelling.get(key) ?? item[name], [count]: total });
    }
    return { ...row, [list]: [...merged.values()].sort((a, b) => Number(b[count]) - Number(a[count])) };
  });
}

/** The spelling used most of each name, by its lower case. */
function spellings(rows: readonly Row[], { list, name, count }: NonNullable<Endpoint['merge']>): Map<string, string> {
  const used = new Map<string, number>();
  for (const row of rows)
    for (const item of Array.isArray(row[list]) ? (row[list] as Row[]) : [])
      used.set(String(item[name]), (used.get(String(item[name])) ?? 0) + Number(item[count] ?? 0));
  const best = new Map<string, string>();
  for (const [spelled, times] of used) {
    const before = best.get(spelled.toLowerCase());
    if (before === undefined || times > (used.get(before) ?? 0)) best.set(spelled.toLowerCase(), spelled);
  }
  return best;
}
