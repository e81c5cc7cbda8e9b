// The numbers of a chart, a line a day: the largest ten, those that are searched for, or all, with what they add up to.
import { useState } from 'preact/hooks';
import { shownText } from '../../lib/shown-text.ts';
import { counted } from '../../lib/terms.ts';
import type { Table } from '../../lib/usage/usage-views.ts';

/** Columns at first; the largest come first. */
const FIRST = 10;

interface UsageTableProps {
  readonly table: Table;
  readonly title: string;
  /** Days add up to something. */
  readonly sums: boolean;
}

export function UsageTable({ table: { days, series }, title, sums }: UsageTableProps) {
  const [search, setSearch] = useState('');
  const [isWhole, setWhole] = useState(false);
  const words = search.trim().toLowerCase();
  const found = words === '' ? series : series.filter(({ name }) => name.toLowerCase().includes(words));
  const shown = isWhole || words !== '' ? found : found.slice(0, FIRST);
  return (
    <>
      {series.length <= FIRST ? null : (
        <div class="head">
          <input
            type="search"
            aria-label={`Search the columns of ${title}`}
            placeholder={`Search in ${series.length}`}
            maxLength={200}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <button type="button" onClick={() => setWhole(!isWhole)}>
            {isWhole ? `Show the first ${FIRST}` : `Show all ${series.length}`}
          </button>
          <span class="note">{counted(shown.length, 'column')} shown; the file has all</span>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard */}
      <section class="scroll" tabIndex={0} aria-label={`${title}, as a table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {shown.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {shownText(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, at) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {shown.map(({ name, values }) => (
                  <td key={name} class="number">
                    {numberText(values[at] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {sums ? (
            <tfoot>
              <tr>
                <th scope="row">Total</th>
                {shown.map(({ name, sum }) => (
                  <td key={name} class="number">
                    <strong>{numberText(sum)}</strong>
                  </td>
                ))}
              </tr>
            </tfoot>
          ) : null}
        </table>
      </section>
    </>
  );
}

const numberText = (value: number): string => value.toLocaleString(undefined, { maximumFractionDigits: 2 });
