// The days that are shown: kept in the address, with the usual ranges a click away.
import { place, setQuery } from '../../lib/place.ts';
import { firstOf } from '../../lib/usage/days.ts';

/** Usual ranges, in days. */
const USUAL = [7, 28, 90, 180] as const;

interface DayRangeProps {
  readonly from: string;
  readonly to: string;
  /** The last day that there is. */
  readonly last: string;
}

export function DayRange({ from, to, last }: DayRangeProps) {
  return (
    <div class="head form">
      <DayField name="from" label="From" day={from} last={last} />
      <DayField name="to" label="Through" day={to} last={last} />
      <p class="tabs ranges">
        {USUAL.map((days) => {
          const first = firstOf(days, last);
          const query = new URLSearchParams(place.value.query);
          query.set('from', first);
          query.set('to', last);
          const shown = from === first && to === last;
          return (
            <a key={days} href={`/usage?${query}`} aria-current={shown ? 'true' : undefined}>
              {days} days
            </a>
          );
        })}
      </p>
    </div>
  );
}

interface DayFieldProps {
  readonly name: 'from' | 'to';
  readonly label: string;
  readonly day: string;
  readonly last: string;
}

function DayField({ name, label, day, last }: DayFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="date"
        value={day}
        max={last}
        onChange={({ currentTarget: { value, validity } }) => validity.valid && setQuery({ [name]: value })}
      />
    </label>
  );
}
