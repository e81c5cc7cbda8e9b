// Which files a finished turn edited: two by name, all of them when opened.
import { call } from '../../api/access.ts';
import { useLive } from '../../api/live.ts';
import { shownText } from '../../lib/shown-text.ts';
import { counted } from '../../lib/terms.ts';

/** Names that are shown at once. */
const FIRST = 2;

/** Nothing where its transcript tells of none. */
export function EditedFiles({ event }: { readonly event: string }) {
  const { value } = useLive(event, [], (signal) => call('events.files', { id: event }, signal));
  if (value === undefined || value.count === 0) return null;
  const names = value.files.map(shownText);
  const count = `${value.whole ? '' : 'At least '}${counted(value.count, 'file')}`;
  const rest = value.count - FIRST;
  const first = `${count}: ${names.slice(0, FIRST).join(', ')}`;
  if (rest <= 0) return <p class="note files">{first}</p>;
  return (
    <details class="note files">
      <summary>{`${first}, +${rest} more`}</summary>
      <ul>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {value.count > names.length ? <p>{counted(value.count - names.length, 'more file')}</p> : null}
    </details>
  );
}
