// A search that is kept in the address; asked for when the typing pauses.
import { useEffect, useRef, useState } from 'preact/hooks';
import { place, setQuery } from '../lib/place.ts';

/** Ms after the last key. */
const PAUSE = 150;

export function SearchField({ label }: { readonly label: string }) {
  const asked = place.value.query.get('q') ?? '';
  const [text, setText] = useState(asked);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string): void => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ q: value.trim() }), PAUSE);
  };
  return (
    <input
      type="search"
      class="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
}
