// One choice of a list's filter, kept in the address.
import { place, setQuery } from '../lib/place.ts';
import { Options } from './options.tsx';

interface ChoiceFilterProps {
  /** In the address. */
  readonly name: string;
  readonly label: string;
  /** Value and text; an empty value is all of them. */
  readonly options: readonly (readonly [value: string, text: string])[];
}

export function ChoiceFilter({ name, label, options }: ChoiceFilterProps) {
  return (
    <select
      aria-label={label}
      value={place.value.query.get(name) ?? ''}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      <Options of={options} />
    </select>
  );
}
