// Names that differ only in case are one thing to people: the service counts them apart.
import type { Endpoint } from '../../api/endpoint.ts';

type Row = Readonly<Record<string, unknown>>;

/** The rows with such items added up, under the spelling used most. */
export function mergeCase(rows: readonly Row[], { list, name, count }: NonNullable<Endpoint['merge']>): Row[] {
  return rows.map((row) => {
    const items = row[list];
    if (!Array.isArray(items)) return row;
    const merged = new Map<string, { readonly item: Row; readonly best: number; readonly total: number }>();
    for (const item of items as Row[]) {
      const key = String(item[name]).toLowerCase();
      const own = Number(item[count] ?? 0);
      const before = merged.get(key);
      const leads = !before || own > before.best;
      merged.set(key, {
        item: leads ? item : before.item,
        best: leads ? own : before.best,
        total: own + (before?.total ?? 0),
      });
    }
    const added = [...merged.values()].sort((a, b) => b.total - a.total);
    return { ...row, [list]: added.map(({ item, total }) => ({ ...item, [count]: total })) };
  });
}
